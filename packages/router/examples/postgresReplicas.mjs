// Read replicas of PostgreSQL through tickets: the router says which pool to query, and the program reports the outcome.
// Run it: node packages/router/examples/postgresReplicas.mjs postgres://you@host1/db postgres://you@host2/db postgres://you@host3/db
// or put the same URLs into DATABASE_URLS, separated by spaces. It only sleeps in the databases: it reads and writes nothing.
import { createRouter } from "@tsallis/router";
import pg from "pg";
import { heavyTailed, underLoad } from "./standIn.mjs";

const urls = process.argv.length > 2 ? process.argv.slice(2) : (process.env.DATABASE_URLS ?? "").split(/\s+/).filter(Boolean);
if (urls.length < 2) {
  console.error("Give two or more URLs of PostgreSQL databases, such as postgres://you@host1/db, as arguments or in DATABASE_URLS.");
  process.exit(2);
}

// The upstreams are names, not URLs, because the router prints them, and passwords should not appear there.
const replicas = new Map(urls.map((connectionString, i) => [`replica ${i + 1}`, new pg.Pool({ connectionString, max: 20, query_timeout: 5000 })]));
// The pool replaces a connection that is lost while idle; without a listener the error would end the process.
for (const pool of replicas.values()) pool.on("error", () => {});
// The timeout is longer than a query may take, because a ticket that is still open when its time is up teaches nothing. The losses are seconds, so
// `lossIsElapsedSeconds` is on.
const router = createRouter({ upstreams: [...replicas.keys()], timeoutMs: 6000, lossIsElapsedSeconds: true, seed: 1 });

/** The program calls this instead of pool.query. Waiting for a free connection counts: a replica whose pool is full is slow. */
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

// To give the router something to learn, each replica sleeps for a heavy-tailed time: the second the least, the others ten times as long.
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
