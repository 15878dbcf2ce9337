import { useEffect, useRef } from "preact/hooks";
import { keepKey, useKey } from "./answers/key.js";
import { BanditPage } from "./pages/banditPage.js";
import { ListPage } from "./pages/listPage.js";
import { useRoute } from "./route/useRoute.js";

export function App() {
  const route = useRoute();
  const key = useKey();
  const main = useRef<HTMLElement>(null);
  const title = route.page === "list" ? "Bandits" : route.name;
  const shown = useRef(title);
  useEffect(() => {
    document.title = `${title} · tsallis`;
    // After a link, keyboard and screen reader begin at the new page's heading.
    if (shown.current !== title) main.current?.querySelector("h1")?.focus();
    shown.current = title;
  }, [title]);
  return (
    <>
      <header>
        <div class="bar">
          <button type="button" class="skip" onClick={() => main.current?.focus()}>
            Skip to the content
          </button>
          <a class="brand" href="#/">
            <img src="icon.svg" alt="" width="22" height="22" />
            tsallis
          </a>
          <nav aria-label="Pages">
            <a href="#/" aria-current={route.page === "list" ? "page" : undefined}>
              All bandits
            </a>
          </nav>
          {key !== undefined && (
            <button type="button" onClick={() => keepKey(undefined)}>
              Forget the key
            </button>
          )}
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        {route.page === "list" ? <ListPage /> : <BanditPage key={route.name} route={route} />}
      </main>
    </>
  );
}
