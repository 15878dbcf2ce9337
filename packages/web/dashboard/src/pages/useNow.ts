import { useEffect, useState } from "preact/hooks";
import { serverNow } from "../answers/clock.js";

/** The service's time, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
