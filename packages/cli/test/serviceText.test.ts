import { afterEach, describe, expect, it, vi } from "vitest";
import { ProgressLine } from "../src/text/progressLine.js";
import { auditText, keysText, serveText, serviceEventText } from "../src/text/serviceText.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes stdout a terminal of some width. */
function terminal(columns: number): void {
  vi.spyOn(process, "stdout", "get").mockReturnValue({ columns, isTTY: true } as typeof process.stdout);
}

const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("keys", () => {
  const made = { hash: "", createdAt: Date.UTC(2026, 10, 16), revokedAt: null, lastUsed: null };
  const KEYS = [
    {
      ...made,
      id: "5a3f0c1d2e4b",
      role: "decide" as const,
      scopes: ["team-a.*", "checkout"],
      note: "the shop at the corner, and its sister in town",
    },
    { ...made, id: "0123456789ab", role: "admin" as const, scopes: ["*"], note: "", revokedAt: Date.UTC(2026, 10, 17), lastUsed: "2026-11-16" },
  ];

  it.each([80, 120])("fit a terminal of %i columns as a table", (columns) => {
    terminal(columns);
    const text = keysText(KEYS);
    expect(text).toMatch(/^┌/);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    expect(text).toContain("0123456789ab");
  });

  it("are told line by line on a terminal that is too narrow for a table", () => {
    terminal(50);
    expect(keysText(KEYS)).toBe(
      [
        "key        5a3f0c1d2e4b",
        "role       decide",
        "bandits    team-a.*",
        "           checkout",
        "note       the shop at the corner, and its sister",
        "           in town",
        "made       2026-11-16",
        "last used  never",
        "",
        "key        0123456789ab",
        "role       admin",
        "bandits    *",
        "note       ",
        "made       2026-11-16",
        "last used  ended",
        "           2026-11-17",
        "",
      ].join("\n"),
    );
  });
});

describe("audit", () => {
  const AUDITED = {
    name: "checkout",
    after: 0,
    events: 1,
    decisions: 1,
    unproved: 0,
    versions: [],
    segments: 0,
    erased: 0,
    repairs: [],
    head: "ab12",
    heads: [],
    differs: null,
  };

  it("says what was recomputed, from where on, and what was not", () => {
    expect(auditText(AUDITED)).toBe("checkout: 1 event, 1 decision: all as recorded, bit for bit (head ab12)\n");
    expect(auditText({ ...AUDITED, after: 5700, events: 2 })).toBe(
      "checkout: pruned, so audited from its snapshot at event 5,700 on: 2 events, 1 decision: all as recorded (head ab12); what its snapshot says is not proved: give the files that prune wrote\n",
    );
    expect(auditText({ ...AUDITED, decisions: 1200, unproved: 1000, versions: ["0.0.9"] })).toBe(
      "checkout: 1 event, 1,200 decisions: all as recorded (head ab12); 1,000 decisions not proved: 0.0.9 made some of them, or handed over a state; audit with that version\n",
    );
    expect(auditText({ ...AUDITED, versions: ["0.0.9"] })).toBe(
      "checkout: 1 event, 1 decision: all as recorded (head ab12); 0.0.9 handed over a state, which is not proved; audit with that version\n",
    );
    expect(auditText({ ...AUDITED, differs: { seq: 2, message: "" } })).toBe("checkout: 1 event as recorded; event 2 is not\n");
  });

  it("counts on a terminal, after two seconds, and wipes the line", () => {
    let written = "";
    const stderr = { isTTY: true, write: (text: string) => (written += text) };
    vi.spyOn(process, "stderr", "get").mockReturnValue(stderr as unknown as typeof process.stderr);
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const progress = new ProgressLine();
    const show = (events: number, what = "audited") => progress.show(() => `${events.toLocaleString("en")} events ${what}`, what);
    clock.mockReturnValue(1999);
    show(10_000);
    expect(written).toBe("");
    clock.mockReturnValue(2000);
    show(1_234_567);
    clock.mockReturnValue(2100);
    show(1_300_000);
    clock.mockReturnValue(2200);
    show(1_400_000);
    // A new stage is shown at once.
    show(20_000, "being deleted");
    progress.stop();
    const shown = ["1,234,567 events audited", "1,400,000 events audited", "20,000 events being deleted", ""];
    expect(written).toBe(shown.map((text) => `\r\u001b[K${text}`).join(""));
    stderr.isTTY = false;
    written = "";
    new ProgressLine().show(() => "1");
    clock.mockReturnValue(9999);
    new ProgressLine().stop();
    expect(written).toBe("");
  });
});

describe("serve", () => {
  const URL_HERE = "http://127.0.0.1:7411/";

  it.each([
    [false, false],
    [true, false],
    [false, true],
  ])("fits 80 columns and names the address, the store, and what to try: needs a key %s, demo %s", (needsKey, isDemo) => {
    const text = serveText(URL_HERE, "tsallis.db", needsKey, isDemo);
    expect(widest(text)).toBeLessThanOrEqual(80);
    expect(text.split("\n", 2)).toEqual([`dashboard  ${URL_HERE}`, "store      tsallis.db"]);
    expect(text.match(/ curl/g)).toHaveLength(3);
    expect(text.includes("Bearer $KEY")).toBe(needsKey);
    expect(text.includes("simulated client")).toBe(isDemo);
  });

  it("tells people of problems and of waiting, and not of every request", () => {
    expect(serviceEventText({ event: "request", method: "GET", route: "/", status: 200 })).toBeUndefined();
    expect(serviceEventText({ event: "problem", message: "the disk is full" })).toBe("problem: the disk is full");
    expect(serviceEventText({ event: "waiting", message: "nobody listens there" })).toBe(
      "waiting for the store; nobody listens there; Ctrl-C ends it",
    );
    expect(serviceEventText({ event: "stopped" })).toBe("stopped");
  });
});
