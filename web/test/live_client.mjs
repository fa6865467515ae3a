// `phiflex live` without a browser: starting it, and a client that speaks its protocol.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

// Sends a signal to a program that may have ended already, and waits for its end.
export async function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((done) => child.on("exit", done));
  child.kill(signal);
  await end;
}

// The server's process and the address that it prints.
export async function start_live(program, words, options = {}) {
  const server = spawn(program, ["live", ...words, "--no-open", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });
  const address = await new Promise((found, failed) => {
    let said = "";
    server.stdout.on("data", (text) => {
      said += text;
      const match = /http:\/\/\S+/.exec(said);
      if (match) found(match[0]);
    });
    server.on("exit", (code) => failed(new Error(`phiflex live ended with ${code}`)));
  });
  return { server, address };
}

// A client without a page: frames of the protocol by hand, so that broken ones can be sent.
export class RawClient {
  constructor(address, headers = {}) {
    const { port, pathname } = new URL(address);
    this.received = Buffer.alloc(0);
    this.texts = [];
    this.frames = 0;
    this.on_frame = () => {}; // (head, bytes)
    this.closed = new Promise((done) => (this.on_close = done));
    this.socket = connect(Number(port), "127.0.0.1");
    this.socket.on("error", () => {});
    this.socket.on("close", () => this.on_close());
    this.answer = new Promise((done) => {
      const take = (bytes) => {
        this.received = Buffer.concat([this.received, bytes]);
        const end = this.received.indexOf("\r\n\r\n");
        if (end < 0) return;
        const head = this.received.toString("latin1", 0, end);
        this.received = this.received.subarray(end + 4);
        this.socket.off("data", take);
        if (head.startsWith("HTTP/1.1 101")) {
          this.socket.on("data", (more) => this.take(more));
          this.take(Buffer.alloc(0));
        }
        done(head);
      };
      this.socket.on("data", take);
    });
    const all = {
      Host: `127.0.0.1:${port}`,
      Upgrade: "websocket",
      Connection: "Upgrade",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      ...headers,
    };
    this.socket.write(
      `GET ${pathname}session HTTP/1.1\r\n${Object.entries(all)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
  }
  take(bytes) {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const all = this.received;
      if (all.length < 2) return;
      let size = all[1] & 127,
        head = 2;
      if (size === 126) [size, head] = [all.length < 4 ? Infinity : all.readUInt16BE(2), 4];
      else if (size === 127) [size, head] = [all.length < 10 ? Infinity : Number(all.readBigUInt64BE(2)), 10];
      if (all.length < head + size) return;
      const payload = all.subarray(head, head + size),
        opcode = all[0] & 15;
      if (opcode === 1) this.texts.push(JSON.parse(payload.toString()));
      if (opcode === 2) this.take_frame(payload);
      this.received = all.subarray(head + size);
    }
  }
  send(text, { opcode = 1, masked = true, claimed = null } = {}) {
    const payload = Buffer.from(text),
      size = claimed ?? payload.length,
      head = Buffer.alloc(10);
    head[0] = 0x80 | opcode;
    head[1] = (masked ? 128 : 0) | 127;
    head.writeBigUInt64BE(BigInt(size), 2);
    this.socket.write(Buffer.concat([head, masked ? Buffer.alloc(4) : Buffer.alloc(0), payload]));
  }
  take_frame(payload) {
    ++this.frames;
    this.on_frame(JSON.parse(payload.toString("utf8", 8, 8 + payload.readUInt32LE(4))), payload.length);
  }
  ask(command) {
    this.send(JSON.stringify(command));
  }
  of(kind) {
    return this.texts.filter((text) => text.kind === kind);
  }
  close() {
    this.socket.destroy();
  }
}
