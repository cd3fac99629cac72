// Panels beside a contest follow the position that is shown while they are open, and are open again in the next contest
// of the same game, with the same agents asked.
"use strict";

(() => {
  const WRITTEN = "input:not([type]), [type=file], textarea";
  const panels = () => document.querySelector(".panels");
  const key = () => `panels of ${panels().dataset.game}`;

  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem(key())) ?? {};
    } catch {
      return {};
    }
  }

  function keep(changed) {
    sessionStorage.setItem(key(), JSON.stringify({ ...kept(), ...changed }));
  }

  const isOpen = (element) => element.closest("details.panel")?.open ?? element.querySelector("details.panel[open]");

  function follow(elements = document.querySelectorAll("[data-follows]")) {
    for (const element of elements) {
      const waits = element.querySelector("[data-asked]");
      if (isOpen(element) && !(waits && !waits.dataset.answered)) {
        htmx.trigger(element, "follow");
      }
    }
  }

  // ask again for the agents that were asked before
  function restore() {
    const before = kept().who;
    if (!before) {
      return;
    }
    const boxes = [...document.querySelectorAll("#thoughts-form [type=checkbox]")];
    for (const box of boxes) {
      box.checked = before.includes(box.value);
    }
    const other = before.find((spec) => !boxes.some((box) => box.value === spec));
    document.getElementById("other-thinker").value = other ?? "";
  }

  document.addEventListener("shown", () => follow());

  document.addEventListener(
    "toggle",
    (event) => {
      const details = event.target;
      if (!panels()?.contains(details)) {
        return;
      }
      if (details.open && details.matches("[data-asks]")) {
        htmx.trigger(document.getElementById(details.dataset.asks), "asked");
      }
      if (details.matches(".panel")) {
        keep({ open: [...document.querySelectorAll("details.panel[open]")].map((each) => each.id) });
        if (details.open) {
          follow([details.querySelector("[data-follows]") ?? details.closest("[data-follows]")]);
        } else if (details.id === "thoughts-panel") {
          document.getElementById("marks")?.replaceChildren();
        }
      }
    },
    true,
  );

  document.addEventListener("change", (event) => {
    if (event.target.name === "who") {
      const asked = new FormData(document.getElementById("thoughts-form")).getAll("who");
      keep({ who: asked.filter((spec) => spec.trim()) });
    }
  });

  // a number within a choice chooses it
  document.addEventListener("input", (event) => {
    const choice = event.target.closest(".choice")?.querySelector("[type=radio]");
    if (choice) choice.checked = true;
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "thinkers") {
      event.detail.target.dataset.answered = "yes";
      restore();
      follow([event.detail.target.closest("[data-follows]")]);
    } else if (event.detail.target.id === "thoughts") {
      const marks = document.getElementById("marks");
      const shown = document.querySelector("#contest [name=after]");
      if (marks.dataset.after && marks.dataset.after !== shown.value) {
        marks.replaceChildren(); // (the answer is about a position shown before)
      }
    }
  });

  // the field that a sentence is about: one that it quotes or names, or else the only one to write in
  function fieldOf(form, sentence) {
    const fields = [...form.elements].filter((each) => each.name && each.matches(`${WRITTEN}, [type=number], select`));
    const named = (word) => fields.find(({ name }) => name.split(".").at(-1) === word);
    const written = fields.filter((each) => each.matches("[type=number], textarea, input:not([type])"));
    const quoted = written.find(({ value }) => value && sentence.includes(value));
    return quoted ?? (sentence.match(/\w+/g) ?? []).map(named).find(Boolean) ?? (written.length === 1 ? written[0] : null);
  }

  // say in a form, beside the field that is at fault, why it was refused; what was filled in stays
  function refuse(form, button, sentence) {
    const field = fieldOf(form, sentence);
    const said = document.createElement("p");
    Object.assign(said, { id: "refused", className: "trouble", role: "alert", textContent: sentence });
    (field?.closest("label") ?? button?.closest("p, .row") ?? form.lastElementChild).after(said);
    field?.closest("details")?.setAttribute("open", "");
    field?.setAttribute("aria-describedby", "refused");
    field?.setAttribute("aria-invalid", "true");
    field?.focus();
  }

  async function send(form, button) {
    const [sent, isPost] = [new FormData(form, button), form.method === "post"];
    const address = new URL(button?.getAttribute("formaction") ?? form.getAttribute("action"), location.href);
    if (!isPost) {
      address.search = new URLSearchParams(sent);
    }
    const body = form.enctype === "multipart/form-data" ? sent : new URLSearchParams(sent);
    const asked = isPost ? { method: "POST", body, headers: { "HX-Request": "true" } } : {};
    const answer = await fetch(address, asked);
    if (answer.ok) {
      location.assign(answer.headers.get("HX-Redirect") ?? answer.url);
      return;
    }
    const text = await answer.text();
    const page = new DOMParser().parseFromString(text, "text/html");
    refuse(form, button, page.querySelector("main h1 + p")?.textContent ?? text);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[hx-post], [hx-get]")) {
      return;
    }
    event.preventDefault();
    document.getElementById("refused")?.remove();
    document.querySelectorAll("[aria-invalid]").forEach((each) => each.removeAttribute("aria-invalid"));
    send(form, event.submitter).catch(() => form.submit()); // (the browser says that there is no answer)
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copies]");
    if (button) {
      document.getElementById(button.dataset.copies).select();
      document.execCommand("copy"); // (the newer way is for addresses with https alone)
      button.textContent = button.dataset.done;
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const id of panels() ? (kept().open ?? []) : []) {
      document.getElementById(id)?.setAttribute("open", "");
    }
  });
})();
