import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import type { BanditList, DecisionProbabilities, Evaluation, RecentDecisions, Timeline } from "@tsallis/service/client";
import { HEADERS } from "../../service/src/http/answerError.js";
import {
  emptyEvaluation,
  emptyHistory,
  emptyTimeline,
  SAMPLE_ALARMS,
  sampleDecision,
  sampleEvaluation,
  sampleHistory,
  sampleList,
  sampleProbabilities,
  sampleRecent,
  sampleTimeline,
  sampleView,
} from "./samples.js";

/** What no name of the service can be, and the page must bear anyway. */
export const HOSTILE = `<img src=x onerror="window.hostile=1">'"&</script>`;
const FOLDER = new URL("../../service/dashboard/", import.meta.url);
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

export interface SampleServer {
  readonly origin: string;
  /** Set to make it ask for this key, to have no bandit, or to fail with a status. */
  key: string | undefined;
  empty: boolean;
  failing: number;
  /** What the key may do. */
  role: string;
  /** Every request that was not a GET: what was asked, and its body. */
  readonly acts: string[];
  close(): Promise<void>;
}

/** The built dashboard, with the headers of the service and made-up answers. */
export async function sampleServer(): Promise<SampleServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url!, "http://localhost");
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const refuse = (status: number, code: string, message: string) => answer(status, { code, detail: message });
    if (!url.pathname.startsWith("/v1/")) {
      const name = url.pathname === "/" ? "index.html" : url.pathname.slice(1);
      try {
        response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "text/plain" }).end(readFileSync(new URL(name, FOLDER)));
      } catch {
        refuse(404, "ERR_ROUTE", "no such route");
      }
      return;
    }
    if (sample.failing > 0) return refuse(sample.failing, "ERR_SAMPLE", `a made-up failure <b>${sample.failing}</b>`);
    if (sample.key !== undefined && request.headers.authorization !== `Bearer ${sample.key}`)
      return refuse(401, "ERR_KEY", "no key, or one that is unknown");
    if (url.pathname === "/v1/access") return answer(200, { role: sample.role, key: sample.key === undefined ? null : "k1" });
    if (request.method !== "GET") {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        sample.acts.push(`${request.method} ${decodeURIComponent(url.pathname)} ${body}`);
        if (body.includes("refused")) refuse(422, "ERR_SAMPLE", "a made-up refusal <b>");
        else answer(200, { expired: 880, erased: 2 });
      });
      return;
    }
    if (url.pathname.startsWith("/v1/bandits/damaged")) return refuse(503, "ERR_REPLAY", "event 12 is not as it was written");
    const body = bodyOf(url.pathname.slice("/v1/bandits".length).split("/").slice(1).map(decodeURIComponent), url.searchParams, sample.empty);
    return body === undefined ? refuse(404, "ERR_UNKNOWN_BANDIT", "there is no bandit or decision of that name") : answer(200, body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const sample: SampleServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: undefined,
    empty: false,
    failing: 0,
    role: "admin",
    acts: [],
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return sample;
}

function bodyOf([name, part, id, more]: string[], query: URLSearchParams, empty: boolean): unknown {
  const now = Date.now();
  if (name === undefined) return empty ? { bandits: [] } : hostileList(sampleList(now));
  if (part === "decisions" && id === undefined) return name === HOSTILE ? hostileRecent(now) : sampleRecent(now);
  if (part === "decisions" && more === "probabilities" && id === "order-81723")
    return name === HOSTILE ? hostileProbabilities() : sampleProbabilities();
  if (part === "decisions") return id === "order-81723" ? { ...sampleDecision(now), ...(name === HOSTILE && hostileDecision()) } : undefined;
  if (part === "log") return { bandit: name };
  const segment = query.get("segment") ?? "";
  switch (name) {
    case "checkout":
      if (part === "evaluation") return sampleEvaluation();
      if (part === "timeline") return sampleTimeline(now);
      return part === "history" ? sampleHistory(now) : sampleView(now, { segment });
    case "new-bandit":
      if (part === "evaluation") return emptyEvaluation();
      if (part === "timeline") return emptyTimeline(now);
      return part === "history" ? emptyHistory() : { ...sampleView(now), name, segments: [], lastEvent: null };
    case "retry-delay": {
      const arms = Array.from({ length: 12 }, (_, i) => `backoff-${i + 1}`);
      if (part === "history") return sampleHistory(now, { arms, shares: true });
      if (part === "timeline") return sampleTimeline(now, { arms, shares: true, changes: [] });
      if (part === "evaluation") return withheld(arms);
      const view = sampleView(now, { name, segments: [], alarms: SAMPLE_ALARMS });
      const figures = arms.map((arm) => ({ ...view.arms[0]!, name: arm, probability: null }));
      return { ...view, arms: figures, document: { ...view.document, arms }, counters: { ...view.counters, rewards: 9_120 } };
    }
    case HOSTILE: {
      const arms = [HOSTILE, `${HOSTILE}2`, "express"];
      if (part === "history") return sampleHistory(now, { arms });
      if (part === "timeline") return sampleTimeline(now, { arms, changes: [hostileChange(now)] });
      if (part === "evaluation") return hostileEvaluation(arms);
      const alarms = [{ code: HOSTILE, message: HOSTILE, remedy: HOSTILE }];
      const view = sampleView(now, { name, segments: [HOSTILE], alarms, version: HOSTILE });
      return {
        ...view,
        document: { ...view.document, arms, policy: { policy: HOSTILE } },
        arms: view.arms.map((arm, i) => ({ ...arm, name: arms[i] })),
      };
    }
    default:
      return undefined;
  }
}

function hostileList({ bandits, next }: BanditList): BanditList {
  return { next, bandits: [...bandits, { ...bandits[0]!, name: HOSTILE, policy: HOSTILE, alarms: [HOSTILE] }] };
}

/** Without a holdout, where arms change. */
function withheld(arms: readonly string[]): Evaluation {
  const found = sampleEvaluation(arms);
  const why = "losses have changed (the alarm DRIFT was on)";
  return {
    ...found,
    ...{ source: "withheld", moves: "drift", uniform: null, saved: null, savedBy: null },
    arms: found.arms.map((arm) => ({ ...arm, race: null, evidence: null })),
    verdict: { answer: "withheld", best: null, rival: null, evidence: null, needed: null, decisionsToGo: null },
    sentences: {
      ...found.sentences,
      saved: `What is saved cannot be said: ${why}, so uniform play is known by a holdout only, and there is none.`,
      stop: `Not answered: ${why}, so arms can be compared by a holdout only, and there is none. PATCH the bandit with { "holdout": 0.1 }.`,
    },
  };
}

function hostileEvaluation(arms: readonly string[]): Evaluation {
  const sentences = { saved: HOSTILE, stop: HOSTILE, cap: HOSTILE, missing: HOSTILE, compared: HOSTILE };
  const found = sampleEvaluation(arms, { sentences });
  return { ...found, verdict: { ...found.verdict, rival: HOSTILE } };
}

function hostileDecision() {
  return { arm: HOSTILE, why: [HOSTILE], segment: HOSTILE };
}

function hostileChange(now: number): Timeline["changes"][number] {
  const at = new Date(now - 600_000).toISOString();
  return { at, noticed: at, arm: HOSTILE, isWorse: true, sentence: HOSTILE };
}

function hostileRecent(now: number): RecentDecisions {
  return {
    decisions: sampleRecent(now).decisions.map((one, i) => ({ ...one, id: i === 2 ? one.id : `${HOSTILE}${i}`, arm: HOSTILE, why: HOSTILE })),
  };
}

function hostileProbabilities(): DecisionProbabilities {
  return { probabilities: sampleProbabilities().probabilities!.map((one, i) => ({ ...one, arm: `${HOSTILE}${i}` })), why: HOSTILE };
}
