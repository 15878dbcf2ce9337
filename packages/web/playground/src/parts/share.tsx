import { useEffect, useState } from "preact/hooks";

interface Props {
  /** What is after the # of the page's address; null if it would be too long. */
  readonly address: string | null;
}

/** Copies the address of what is shown. */
export function Share({ address }: Props) {
  const [words, setWords] = useState("");
  useEffect(() => setWords(""), [address]);
  const share = async () => {
    if (address === null) {
      setWords("Too long for an address. Save the experiment instead: see below the figure.");
      return;
    }
    const whole = `${location.href.split("#")[0]}#${address}`;
    try {
      await navigator.clipboard.writeText(whole);
      setWords(`Copied, ${whole.length} characters.`);
    } catch {
      // Not allowed, or a page without https: it is in the address bar all the same.
      history.replaceState(null, "", `#${address}`);
      setWords("This browser does not let the page copy. Copy it from the address bar.");
    }
  };
  return (
    <>
      <button type="button" onClick={share}>
        Share
      </button>{" "}
      <span role="status" class="note">
        {words}
      </span>
    </>
  );
}
