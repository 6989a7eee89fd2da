import { render } from "preact";
import { App } from "./app.tsx";
import { guardDrafts } from "./state/drafts.ts";
import { followEvents } from "./state/events.ts";
import { followLinks } from "./state/location.ts";
import { loadStatus } from "./state/memory-state.ts";
import { followTheme } from "./state/theme.ts";

followTheme();
followLinks();
guardDrafts();
render(<App />, document.getElementById("app")!);
followEvents();
// For the status, the server looks at every file. The first query should not wait for that.
setTimeout(loadStatus, 250);
