/** The pages of docs/, as the site lists them. A test fails if one is missing. Paths are those of the files in docs/, without .md. */
export const SECTIONS = [
  {
    text: "Guides",
    pages: [
      ["Get started", "get-started"],
      ["How to choose a policy", "guides/choosing-a-policy"],
      ["Advice from your own losses", "guides/advise"],
      ["Reading a report", "guides/reading-a-report"],
      ["Answers from a log", "guides/answers-from-a-log"],
      ["From a run to a paper", "guides/from-a-run-to-a-paper"],
      ["Routing by latency", "guides/route-by-latency"],
      ["Decisions over HTTP", "guides/decisions-over-http"],
      ["The service on many machines", "guides/many-machines"],
      ["Many machines for an experiment", "guides/fleet"],
    ],
  },
  {
    text: "Reference",
    pages: [
      ["Policies", "reference/policies"],
      ["Estimators", "reference/estimators"],
      ["Distributions", "reference/distributions"],
      ["Environments", "reference/environments"],
      ["Random numbers", "reference/random"],
      ["Statistics", "reference/statistics"],
      ["Evidence", "reference/evidence"],
      ["Experiments", "reference/experiments"],
      ["The command", "reference/cli"],
      ["Router", "reference/router"],
      ["Decision service", "reference/service"],
      ["Bounds", "reference/theory"],
      ["SignedTINF: the proof", "reference/signed-tinf-proof"],
      ["A relative of MatchedTINF: the proof", "reference/matched-tinf-proof"],
      ["Regret anatomy", "reference/anatomy"],
      ["Errors", "reference/errors"],
      ["Benchmarks", "reference/bench"],
    ],
  },
  {
    text: "Background",
    pages: [
      ["The theorems, measured", "theorems-measured"],
      ["Routing by latency, measured", "router-measured"],
      ["Published figures, measured", "published-figures"],
      ["Answers from a log, measured", "evidence-measured"],
      ["The kernel", "kernel"],
      ["Architecture", "architecture"],
    ],
  },
];

/** The entries of the packages in the API reference, by the names that they are imported by. */
export const ENTRIES = [
  "tsallis",
  "tsallis/evidence",
  "tsallis/statistics",
  "@tsallis/lab",
  "@tsallis/lab/advice",
  "@tsallis/lab/evaluation",
  "@tsallis/lab/fleet",
  "@tsallis/lab/play",
  "@tsallis/lab/report",
  "@tsallis/router",
  "@tsallis/service",
  "@tsallis/service/client",
];
