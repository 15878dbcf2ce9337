// A server of its own: the store is argv[2], the port argv[3], and its clock is argv[4] milliseconds ahead. It prints a line when it takes requests.
import { createService } from "../dist/index.js";

const [store, port, ahead] = process.argv.slice(2);
const service = createService({
  store,
  port: Number(port),
  now: () => Date.now() + Number(ahead),
  onEvent: ({ event, message }) => {
    if (event === "problem") console.log(`problem: ${message}`);
  },
});
await service.listen();
console.log("it listens");
