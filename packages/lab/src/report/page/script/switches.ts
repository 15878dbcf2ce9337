/** Three kinds of switches set a class or an attribute of the root, and the style sheet does the rest. A link to a folded section unfolds it. */
export const SWITCHES = `
  const press = (button, on) => button.setAttribute("aria-pressed", String(on));
  const policies = [...document.querySelectorAll("button[data-policy]")];
  const show = (button, on) => {
    press(button, on);
    root.classList.toggle("off-" + button.dataset.policy, !on);
  };
  for (const button of policies) button.addEventListener("click", () => show(button, button.getAttribute("aria-pressed") !== "true"));
  for (const button of document.querySelectorAll("button[data-all]"))
    button.addEventListener("click", () => policies.forEach((policy) => show(policy, button.dataset.all === "true")));
  for (const kind of ["scale", "band"]) {
    const choices = [...document.querySelectorAll("button[data-set-" + kind + "]")];
    const attribute = kind === "scale" ? "setScale" : "setBand";
    for (const button of choices)
      button.addEventListener("click", () => {
        root.dataset[kind] = button.dataset[attribute];
        choices.forEach((other) => press(other, other === button));
        drawSeeds();
      });
  }
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();`;
