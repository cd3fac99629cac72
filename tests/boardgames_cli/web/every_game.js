// What shows a contest to `every_game.py`, and where to click or how far to tab for the next action. Clicks and keys come
// from the browser's input; what is asked here waits until they have been dealt with.
(() => {
  const TABBABLE = "a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']";

  let choice = null;
  let way = null;
  let inputs = 0; // clicks, or times that Enter was pressed, since the last action
  let requests = 0;
  let swaps = 0;
  let trouble = "";
  let wake = () => {};

  function heard(event, react) {
    document.addEventListener(event, (found) => {
      react(found);
      wake();
    });
  }

  heard("htmx:beforeRequest", () => (requests += 1));
  heard("htmx:afterSettle", () => (swaps += 1));
  for (const name of ["htmx:responseError", "htmx:sendError"]) {
    heard(name, (event) => (trouble = event.detail.xhr?.responseText || name));
  }
  // (Enter clicks with a detail of 0; a touch need not be followed by a click)
  const isClick = (event) => event.isTrusted && event.detail > 0 && event.pointerType !== "touch";
  heard("click", (event) => (inputs += isClick(event) ? 1 : 0));
  // (a man that is dragged goes over two locations)
  let down = [0, 0];
  const isFar = (event) => Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 6;
  heard("pointerdown", (event) => (down = [event.clientX, event.clientY]));
  heard("pointerup", (event) => (inputs += event.pointerType === "touch" ? 1 + isFar(event) : 0));
  heard("focusin", () => {});
  heard("keyup", (event) => (inputs += event.isTrusted && event.key === "Enter" ? 1 : 0));
  for (const name of ["keydown", "click"]) {
    document.addEventListener(
      name,
      (event) => {
        const hit = event.target.closest(".spot, button, .swaps");
        if ((event.key === "Enter" || isClick(event)) && hit !== target(inputs)) {
          trouble = `${named(hit)} was hit, not ${named(target(inputs))}`;
        }
      },
      true, // (before the page reacts)
    );
  }

  async function until(isDone) {
    while (!isDone() && !trouble) {
      await new Promise((resolve) => (wake = resolve));
    }
    if (trouble) {
      throw new Error(trouble);
    }
  }

  const named = (element) => element?.getAttribute("aria-label") || element?.textContent || "nothing";
  // actions in the order in which a click on their man plays them; none where one that has been clicked is picked up
  const byDie = () => document.querySelector("#contest").dataset.quick?.split(" ").map(Number) ?? [];
  // all actions of a turn that is forced, which one click plays
  const forced = () =>
    way === "clicks" && byDie().length
      ? (document.querySelector("#choices [name=actions]")?.value.split("-").map(Number) ?? [])
      : [];
  // what is to be hit for the action, in order: the dice come first if a click on the man, or dropping it, plays the other
  // die; a button comes last, if one is left to press once the locations have been hit
  function hits() {
    const { action, path, choices } = choice;
    const spots = path.map((location) => `.spot[data-location='${location}']`);
    const isByDie = byDie().length > 0 && spots.length > 0;
    const alike = choices.filter((each) => (way === "clicks" ? each[2][0] === path[0] : `${each[2]}` === `${path}`));
    const [first] = byDie().filter((each) => alike.some((other) => other[0] === each));
    const dice = isByDie && way !== "keys" && first !== action && forced().length === 0 ? [".swaps"] : [];
    const button = `${path.length ? "#ambiguous" : ".answers"} button[value='${action}']`;
    return way === "clicks" && isByDie ? [...dice, spots[0]] : [...dice, ...spots, button];
  }
  // what is to be hit after some inputs, if it is there, and lit
  const target = (done) => document.querySelector(hits()[done]?.replace(".spot", ".spot.next") ?? "none");

  // what the page shows of the position
  const shown = () => ({
    spots: [...document.querySelectorAll(".spot")].map((spot) => spot.getAttribute("aria-label")),
    next: [...document.querySelectorAll(".spot.next")].map((spot) => Number(spot.dataset.location)),
    choices: [...document.querySelectorAll("#choices button[name=action]")].map((each) => [
      Number(each.value),
      each.textContent,
      each.dataset.path ? each.dataset.path.split(" ").map(Number) : [],
    ]),
    status: document.querySelector(".status").textContent,
    goesOn: document.querySelector("#contest.picking") !== null,
    isOver: document.querySelector(".status.over") !== null,
  });

  // where an element is on the screen, if nothing lies above it
  function pointOf(element) {
    element.scrollIntoView({ block: "nearest" });
    const area = element.getBoundingClientRect();
    const point = [area.x + area.width / 2, area.y + area.height / 2];
    if (!element.contains(document.elementFromPoint(...point))) {
      throw new Error(`${named(element)} is covered`);
    }
    return point;
  }

  const isShown = (element) =>
    element.getClientRects().length > 0 && (!element.closest("details:not([open])") || element.matches("summary"));

  // how often Tab must be pressed to come from what has the focus to an element; less than 0: Shift and Tab
  function tabsTo(element) {
    const order = [...document.querySelectorAll(TABBABLE)].filter((each) => each === element || isShown(each));
    const here = order.indexOf(document.activeElement);
    return here < 0 ? null : order.indexOf(element) - here;
  }

  // where Tab stops for an element: at one of the locations for all of them
  const stopFor = (element) => (element.matches(".spot") ? document.querySelector(".spot[tabindex='0']") : element);

  // the keys from any location to one that is lit, by the shorter way
  function walkTo(element) {
    const all = [...document.querySelectorAll(".spot.next")];
    const here = all.indexOf(element);
    if (here < 0) {
      return [];
    }
    const back = all.length - 1 - here;
    return here <= back ? ["Home", ...Array(here).fill("PageDown")] : ["End", ...Array(back).fill("PageUp")];
  }

  function demanded(element) {
    if (!element) {
      throw new Error(`${choice.text} cannot be made`);
    }
    return element;
  }

  const ways = {
    clicks: () => {
      const later = hits().slice(inputs + 1).map((each) => document.querySelector(each));
      return { points: [demanded(target(inputs)), ...later.filter(Boolean)].map(pointOf) };
    },
    drags: () => {
      const { points } = ways.clicks();
      const isOnBoard = target(inputs).matches(".spot");
      return { isOnBoard, points: isOnBoard ? points : points.slice(0, 1) };
    },
    keys: () => ({ tabs: tabsTo(stopFor(demanded(target(inputs)))), walk: walkTo(target(inputs)) }),
  };

  function next(draw, by) {
    inputs = 0;
    requests = 0;
    const position = shown();
    if (position.isOver) {
      return { position };
    }
    way = by;
    const [first, ...rest] = forced();
    const [action, text, path] =
      position.choices.find((each) => each[0] === first) ?? position.choices[Math.floor(draw * position.choices.length)];
    choice = { action, text, path, choices: position.choices };
    return { position, action, rest, ...ways[by]() };
  }

  window.everyGame = {
    // the position, and the input for one of its actions, which a number from 0 to 1 chooses
    next,
    // the input that is left for this action after some inputs, or, if it has been made, what `next` returns
    after: async (done, draw, by) => {
      await until(() => inputs >= done || swaps > 0);
      if (requests === 0) {
        return ways[by]();
      }
      await until(() => swaps > 0);
      swaps = 0;
      return next(draw, by);
    },
    // how often Tab must be pressed, once something has the focus
    tabs: async () => {
      await until(() => tabsTo(stopFor(target(inputs))) !== null);
      return tabsTo(stopFor(target(inputs)));
    },
  };
})();
