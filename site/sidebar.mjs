/** The pages of docs/, as the site lists them. A test fails if one is missing. Paths are those of the files in docs/, without .md. */
export const SECTIONS = [
  {
    text: "Guides",
    pages: [
      ["Get started", "get-started"],
      ["How to choose a policy", "guides/choosing-a-policy"],
      ["Advice from your own losses", "guides/advise"],
      ["Routing by latency", "guides/route-by-latency"],
      ["Decisions over HTTP", "guides/decisions-over-http"],
      ["The service on many machines", "guides/many-machines"],
      ["Answers from a log", "guides/answers-from-a-log"],
      ["Reading a report", "guides/reading-a-report"],
      ["Many machines for an experiment", "guides/fleet"],
      ["From a run to a paper", "guides/from-a-run-to-a-paper"],
      ["Glossary", "glossary"],
    ],
  },
  {
    text: "Reference",
    pages: [
      ["The command", "reference/cli"],
      ["Policies", "reference/policies"],
      ["MatchedTINF, the default", "reference/policies/matched-tinf"],
      ["The paper's policies", "reference/policies/paper"],
      ["SignedTINF", "reference/policies/signed-tinf"],
      ["Stochastic heavy tails", "reference/policies/robust"],
      ["Other FTRL policies", "reference/policies/ftrl"],
      ["Baselines", "reference/policies/baselines"],
      ["Router", "reference/router"],
      ["Decision service", "reference/service"],
      ["Experiments", "reference/experiments"],
      ["Environments", "reference/environments"],
      ["Distributions", "reference/distributions"],
      ["Random numbers", "reference/random"],
      ["Statistics", "reference/statistics"],
      ["Estimators", "reference/estimators"],
      ["Evidence", "reference/evidence"],
      ["Errors", "reference/errors"],
    ],
  },
  {
    text: "Research",
    pages: [
      ["Bounds", "reference/theory"],
      ["SignedTINF: the proof", "reference/signed-tinf-proof"],
      ["A relative of MatchedTINF: the proof", "reference/matched-tinf-proof"],
      ["Regret anatomy", "reference/anatomy"],
      ["The theorems, measured", "theorems-measured"],
      ["Routing by latency, measured", "router-measured"],
      ["Published figures, measured", "published-figures"],
      ["Answers from a log, measured", "evidence-measured"],
    ],
  },
  {
    text: "Inside",
    pages: [
      ["Architecture", "architecture"],
      ["The kernel", "kernel"],
      ["Benchmarks", "reference/bench"],
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
