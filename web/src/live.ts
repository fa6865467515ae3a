// Follows runs that the program serves: asks how they stand, and fetches them anew when they have changed.
import type { Run, RunStatus } from "./data";

export interface Follower {
  changed(index: number, run: Run): Promise<void>;
  status(index: number, status: RunStatus): void;
  lost(problem: string): void;
}

async function fetched<T>(address: string): Promise<T> {
  const answer = await fetch(address, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the program answered ${answer.status}`);
  return (await answer.json()) as T;
}

export function follow(count: number, poll_seconds: number, follower: Follower): void {
  const versions: (number | null)[] = new Array(count).fill(null);
  const ask = async (): Promise<void> => {
    let pause = 1000 * Math.max(0.2, poll_seconds),
      running = false;
    try {
      for (let i = 0; i < count; ++i) {
        const status = await fetched<RunStatus>(`runs/${i}/status.json`);
        if (status.version !== versions[i]) {
          await follower.changed(i, await fetched<Run>(`runs/${i}/data.json`));
          versions[i] = status.version;
        }
        follower.status(i, status);
        running ||= status.status === "running";
      }
      if (!running) pause *= 4; // it may be resumed
    } catch (error) {
      follower.lost(error instanceof Error ? error.message : String(error));
      pause *= 4;
    }
    setTimeout(() => void ask(), pause);
  };
  void ask();
}
