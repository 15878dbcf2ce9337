import type { Access } from "@tsallis/service/client";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../answers/ask.js";
import { useKey } from "../answers/key.js";

/** What the key of this tab may do; undefined until the service has said. */
export function useAccess(): Access["role"] | undefined {
  const key = useKey();
  const [role, setRole] = useState<Access["role"]>();
  useEffect(() => {
    const stop = new AbortController();
    setRole(undefined);
    ask<Access>("v1/access", stop.signal).then(
      (access) => setRole(access.role),
      () => {},
    );
    return () => stop.abort();
  }, [key]);
  return role;
}
