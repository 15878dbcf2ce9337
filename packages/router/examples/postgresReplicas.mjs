// Read replicas of PostgreSQL through tickets: the router says which pool to ask, and is told what came of it.
// Run it: node packages/router/examples/postgresReplicas.mjs postgres://you@host1/db postgres://you@host2/db postgres://you@host3/db
// or with the same URLs, and spaces between them, in DATABASE_URLS. It only sleeps in the databases: it reads and writes nothing.
import { createRouter } from "@tsallis/router";
import pg from "pg";
import { heavyTailed, underLoad } from "./standIn.mjs";

const urls = process.argv.length > 2 ? process.argv.slice(2) : (process.env.DATABASE_URLS ?? "").split(/\s+/).filter(Boolean);
if (urls.length < 2) {
  console.error("Give two or more URLs of PostgreSQL databases, such as postgres://you@host1/db, as arguments or in DATABASE_URLS.");
  process.exit(2);
}

// Names, not URLs: they stand in what the router prints and counts, where passwords should not.
const replicas = new Map(urls.map((connectionString, i) => [`replica ${i + 1}`, new pg.Pool({ connectionString, max: 20, query_timeout: 5000 })]));
// The pool replaces a connection that is lost while nobody uses it; without a listener the process would end.
for (const pool of replicas.values()) pool.on("error", () => {});
// Longer than a query may take: a ticket that is still open when its time is up teaches nothing. Waiting: what is learned are seconds.
const router = createRouter({ upstreams: [...replicas.keys()], timeout: 6, waiting: true, seed: 1 });

/** What the program calls instead of pool.query. Waiting for a free connection counts: a replica whose pool is full is slow. */
async function query(text, valuesFor) {
  const ticket = router.choose();
  const started = performance.now();
  try {
    const result = await replicas.get(ticket.upstream).query(text, valuesFor(ticket.upstream));
    ticket.done((performance.now() - started) / 1000);
    return result;
  } catch (error) {
    ticket.failed(error);
    throw error;
  }
}

// So that there is something to learn, each replica sleeps for a heavy-tailed time: the second the least, the others ten times as long.
const sleeps = new Map([...replicas.keys()].map((name, i) => [name, heavyTailed(name, i === 1 ? 2 : 20)]));
const ours = await underLoad(800, () => query("select pg_sleep($1)", (name) => [sleeps.get(name)() / 1000]));
const names = [...replicas.keys()];
const roundRobin = await underLoad(200, (i) => {
  const name = names[i % names.length];
  return replicas.get(name).query("select pg_sleep($1)", [sleeps.get(name)() / 1000]);
});

for (const { upstream, chosen, failed } of router.explain().upstreams) console.log(`${upstream}: ${chosen} queries, ${failed} failed`);
console.log(`mean: ${ours.toFixed(1)} ms, round robin ${roundRobin.toFixed(1)} ms`);
console.log(`\n${router.explain().why}`);

await router.close();
for (const pool of replicas.values()) await pool.end();
