import { currentKey, keepKey } from "../answers/key.js";

/** Asks for a key, which stays in this tab. */
export function KeyForm({ message }: { readonly message: string }) {
  const refused = currentKey() !== undefined;
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        const key = String(new FormData(event.currentTarget).get("key")).trim();
        if (key !== "") keepKey(key);
      }}
    >
      <h1 tabIndex={-1}>{refused ? "This key does not open the service" : "The service asks for a key"}</h1>
      <p class="note">It says: {message}</p>
      <label for="key">Key</label>
      <div class="asking">
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          pattern="\s*[!-~]+\s*"
          title="the signs of a key have no spaces or accents"
          placeholder="tsk_…"
        />
        <button type="submit">Open</button>
      </div>
      <p class="note">
        It is kept in this tab only and is gone when you close it. A key that may read is enough: <code>tsallis keys add --role read</code>
      </p>
    </form>
  );
}
