import "./style.css";
import { read_page_data } from "./data";
import { element } from "./dom";
import { LivePage } from "./live_page";
import { Page } from "./page";
import { start_theme } from "./theme";

const app = document.getElementById("app")!;
start_theme();
try {
  const data = read_page_data(),
    page = data.kind === "live" ? new LivePage(data, app) : new Page(data, app);
  Object.defineProperty(window, "phiflex", { get: () => page.state() });
  void page.start();
} catch (error) {
  app.append(
    element(
      "p",
      { class: "no-picture" },
      `This page cannot be shown: ${error instanceof Error ? error.message : error}.`,
    ),
  );
  throw error;
}
