import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const zip = promisify(gzip);
/** Shorter answers fit into one packet as they are. */
const SHORTEST = 1_000;

/** Compresses an answer for those who take it. Streams stay as they are. */
export async function compress({ headers }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isText = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isText || payload.length < SHORTEST || !/\bgzip\b/.test(headers["accept-encoding"] ?? "")) return payload;
  const vary = reply.getHeader("vary");
  reply.headers({ "content-encoding": "gzip", vary: vary === undefined ? "accept-encoding" : `${vary}, accept-encoding` });
  reply.removeHeader("content-length");
  return zip(payload);
}
