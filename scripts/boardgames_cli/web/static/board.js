// Clicks and keys on the board of a contest. Which locations make which action is in the list of all moves, which the
// server has written: each of its buttons names the locations of its action, in order, in data-path.
"use strict";

(() => {
  const EDGES = { Home: 0, End: -1 };
  const STEPS = { PageUp: -1, PageDown: 1 };
  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const SECONDS_BETWEEN_MOVES = 1;
  const MOST_TEXTS = 8;
  const DRAGGED_FROM = 6; // pixels; less is a click
  const GLIDE = 250; // milliseconds
  const AT_ONCE = 500; // milliseconds

  let picked = [];
  let focused = []; // selectors of what had the focus: the first that is there after a swap has it again
  let isSwapped = false; // whether a click on a man plays the last of its actions, not the first
  let watching = null;
  let drag = null; // a man on its way: where from, where the pointer took it, and its shapes
  let touched = null; // the spot on which a finger or the mouse has gone down
  let answered = -Infinity; // when a pointer was let go; the click that follows at once has been dealt with
  let hasFailed = false; // whether an agent that was to move has failed
  let announced = null; // the state that was said last
  let stop = null; // the location that the Tab key goes to
  let seen = {}; // the contest and the number of actions last shown

  const contest = () => document.getElementById("contest");
  const spots = () => [...document.querySelectorAll(".spot")];
  const spotAt = (location) => document.querySelector(`.spot[data-location="${location}"]`);

  function moves() {
    return [...document.querySelectorAll("#choices [data-path]")].map((button) => ({
      button,
      path: button.dataset.path.split(" "),
    }));
  }

  const begins = (path, with_) => with_.every((location, number) => path[number] === location);

  function nextAfter(clicked) {
    const onward = moves().filter(({ path }) => path.length > clicked.length && begins(path, clicked));
    return new Set(onward.map(({ path }) => path[clicked.length]));
  }

  // light up what can be clicked next
  function light() {
    const next = nextAfter(picked);
    contest().classList.toggle("picking", picked.length > 0 || contest().hasAttribute("data-within"));
    for (const spot of spots()) {
      const location = spot.dataset.location;
      const isPicked = picked.includes(location);
      const isNext = next.has(location) || isPicked;
      spot.classList.toggle("next", isNext);
      spot.classList.toggle("picked", isPicked);
      spot.setAttribute("aria-disabled", String(!isNext));
      spot.setAttribute("aria-pressed", String(isPicked));
    }
    rove();
    prompt();
  }

  // places that the arrows reach: lit locations of a contest, or all locations of the editor
  const reachable = () => [...document.querySelectorAll(".spot.next, .place")];

  // make one location of a board the stop of the Tab key: the given one, or the one that it was, if it can be reached
  function rove(given = null) {
    const able = reachable();
    const wanted = [given, document.activeElement?.closest(".spot, .place"), document.getElementById(stop), spotAt(stop)];
    const chosen = wanted.find((each) => each && (each === given || able.includes(each))) ?? able[0];
    for (const each of document.querySelectorAll(".spot, .place")) {
      each.setAttribute("tabindex", each === chosen ? "0" : "-1");
    }
    stop = chosen?.id || chosen?.dataset.location || null;
  }

  // say below the status which moves begin with what is picked
  function prompt() {
    const place = document.getElementById("prompt");
    if (!place) {
      return;
    }
    const texts = moves()
      .filter(({ path }) => begins(path, picked))
      .map(({ button }) => button.textContent);
    const forFingers = matchMedia("(pointer: coarse)").matches;
    const { usual } = place.dataset;
    const some = texts.length <= MOST_TEXTS ? texts.join(", ") : `${texts.length} moves`;
    const text = picked.length ? `${some}: choose a place that lights up, or the same one again to go back.` : usual;
    place.textContent = forFingers ? text.replaceAll("Click", "Tap").replaceAll("click", "tap") : text;
  }

  function offer(buttons) {
    const place = document.getElementById("ambiguous");
    place.replaceChildren(...buttons.map((button) => button.cloneNode(true)));
    place.hidden = buttons.length === 0;
    place.firstElementChild?.focus();
  }

  function say(text) {
    document.getElementById("announcement").textContent = text;
  }

  // of moves that begin with the same man, the one by the die on the left, where the game says so
  function byDie(some) {
    const order = contest().dataset.quick?.split(" ") ?? [];
    const rank = ({ button }) => order.indexOf(button.value) * (isSwapped ? -1 : 1);
    const able = some.filter(({ button }) => order.includes(button.value)); // (not those that play several dice)
    return able.length ? able.reduce((best, each) => (rank(each) < rank(best) ? each : best)) : null;
  }

  function click(location, isDropped = false) {
    if (picked.at(-1) === location && !nextAfter(picked).has(location)) {
      picked = [];
    } else if (nextAfter(picked).has(location)) {
      picked = [...picked, location];
    } else if (nextAfter([]).has(location)) {
      picked = [location];
    } else {
      return;
    }
    const done = moves().filter(({ path }) => path.length === picked.length && begins(path, picked));
    const goesOn = nextAfter(picked).size > 0;
    offer([]);
    light();
    const only = done.length > 1 && isDropped ? byDie(done) : done.length === 1 ? done[0] : null;
    if (picked.length > 0 && only && !goesOn) {
      only.button.click();
    } else if (picked.length > 0 && done.length > 0) {
      offer(done.map(({ button }) => button));
    } else if (picked.length > 0) {
      say(`${spotAt(location).getAttribute("aria-label")} is picked; ${nextAfter(picked).size} possible next`);
    }
  }

  // play the action that a click on a man stands for, if the game says so, or pick the man up
  function tap(location) {
    const first = picked.length ? null : byDie(moves().filter(({ path }) => path[0] === location));
    if (first) {
      (document.querySelector("#choices [name=actions]") ?? first.button).click();
    } else {
      click(location);
    }
  }

  // exchange the halves of an area in the picture: the dice
  function swapHalves(area) {
    isSwapped = !isSwapped;
    const [middle, width] = [centre(area)[0], Number(area.getAttribute("width")) / 2];
    const box = area.getBBox();
    for (const shape of document.querySelectorAll(".board > svg:first-child > :is(rect, circle)")) {
      const { x, y, width: wide, height } = shape.getBBox();
      const isWithin = x >= box.x && x + wide <= box.x + box.width && y >= box.y && y + height <= box.y + box.height;
      if (isWithin) {
        const way = x + wide / 2 < middle ? width : -width;
        shape.setAttribute("transform", isSwapped ? `translate(${way} 0)` : "");
      }
    }
  }

  function centre(spot) {
    const area = spot.matches(".place") ? spot.parentElement : spot;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(area.getAttribute(name)));
    return [x + width / 2, y + height / 2];
  }

  // where a pointer is, in units of the picture
  function placeOf(event) {
    const toPicture = document.querySelector("svg.spots").getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture);
    return [x, y];
  }

  // the shapes of the man on a spot that is nearest to a place: small ones about the same point
  function manOn(spot, [x, y]) {
    const area = spot.getBBox();
    // (what fills a whole cell marks it; men fill the width of a long point)
    const most = (area.height > 1.5 * area.width ? 1 : 0.9) * Math.min(area.width, area.height);
    const found = [];
    for (const shape of document.querySelector(".board > svg").querySelectorAll("circle, polyline, text")) {
      const box = shape.getBBox();
      const [across, down] = [box.x + box.width / 2, box.y + box.height / 2];
      const aside = Math.abs(across - area.x - area.width / 2) < area.width / 2;
      const isWithin = aside && Math.abs(down - area.y - area.height / 2) < area.height / 2;
      if (isWithin && Math.max(box.width, box.height) <= most) {
        found.push({ shape, across, down, far: Math.hypot(across - x, down - y) });
      }
    }
    const nearest = found.reduce((best, each) => (best && best.far <= each.far ? best : each), null);
    return found
      .filter((each) => Math.hypot(each.across - nearest.across, each.down - nearest.down) < most / 4)
      .map(({ shape }) => shape);
  }

  // copies of shapes over the board; the shapes themselves are hidden until the copies are put away
  function lift(shapes) {
    const copy = document.createElementNS("http://www.w3.org/2000/svg", "g");
    copy.classList.add("lifted");
    copy.append(...shapes.map((shape) => shape.cloneNode(true)));
    document.querySelector("svg.spots").append(copy);
    shapes.forEach((shape) => shape.classList.add("away"));
    return copy;
  }

  function putDown() {
    drag?.copy?.remove();
    document.querySelectorAll(".away").forEach((shape) => shape.classList.remove("away"));
    drag = null;
  }

  // let the men of the last move glide to where they are now
  function glide() {
    const { contest: name, after, glides } = contest().dataset;
    const isNew = seen.name === name && Number(after) > seen.after && !seen.isDropped;
    seen = { name, after: Number(after), isDropped: false };
    if (!isNew || !glides || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    for (const step of glides.split(";")) {
      const [from, to] = step.split(" ").map(spotAt);
      const shapes = from && to ? manOn(to, centre(to)) : [];
      if (shapes.length) {
        const [[x, y], [left, up]] = [centre(from), centre(to)];
        const copy = lift(shapes);
        const begun = { transform: `translate(${x - left}px, ${y - up}px)` };
        copy.animate([begun, { transform: "none" }], GLIDE).onfinish = () => {
          copy.remove();
          shapes.forEach((shape) => shape.classList.remove("away"));
        };
      }
    }
  }

  // the location that a key leads to: the nearest in a direction, the next or the first of them
  function led(spot, key) {
    const all = reachable();
    if (key in EDGES) {
      return all.at(EDGES[key]);
    }
    if (key in STEPS) {
      const after = all.findIndex((each) => spot.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
      const isThere = all.includes(spot);
      const here = isThere ? all.indexOf(spot) : (after < 0 ? all.length : after) - (STEPS[key] > 0 ? 1 : 0);
      return all[(here + STEPS[key] + all.length) % all.length];
    }
    return neighbour(spot, KEYS[key]);
  }

  // the nearest location in a direction that can be clicked
  function neighbour(spot, [right, down]) {
    const [x, y] = centre(spot);
    let best = null;
    let least = Infinity;
    for (const other of reachable()) {
      const [there, below] = centre(other);
      const along = (there - x) * right + (below - y) * down;
      const aside = Math.abs((there - x) * down) + Math.abs((below - y) * right);
      const far = along + 2.5 * aside;
      if (other !== spot && along > 1 && far < least) {
        [best, least] = [other, far];
      }
    }
    return best;
  }

  // what may have the focus in place of something, once the contest is shown again
  function placesOf(element) {
    if (!element?.closest("#contest")) {
      return [];
    }
    const { location, path } = element.dataset;
    const on = location ?? path?.split(" ")[0];
    const same = on ? `.spot[data-location="${on}"]` : element.id ? `#${element.id}` : null;
    const isOfMoves = element.closest("nav.moves");
    return [same, isOfMoves && "nav.moves [aria-current]", ".answers button", ".spot.next", ".spot"].filter(Boolean);
  }

  function restoreFocus() {
    const isOver = document.querySelector(".status.over") && !focused[0]?.startsWith("nav");
    const place = (isOver ? [".tools .main", ".tools button"] : focused).map((each) => contest().querySelector(each));
    if (focused.length) {
      place.find(Boolean)?.focus({ preventScroll: true });
    }
  }

  function began() {
    if (!contest()) {
      return;
    }
    picked = [];
    drag = null;
    isSwapped = false;
    hasFailed = false;
    const { contest: name, after, said } = contest().dataset;
    if (announced !== `${name} ${after} ${said}`) { // (while an agent thinks, the same is shown again and again)
      announced = `${name} ${after} ${said}`;
      say(said);
    }
    light();
    glide();
    const current = document.querySelector(".moves [aria-current]");
    if (current) {
      current.closest("ol").scrollTop = current.parentElement.offsetTop;
    }
    restoreFocus();
    const watch = document.getElementById("watch");
    if (watch) {
      watch.textContent = watching ? watch.dataset.stop : watch.dataset.go;
    }
    document.dispatchEvent(new Event("shown"));
  }

  document.addEventListener("click", (event) => {
    const spot = event.target.closest(".spot");
    const move = event.target.closest("nav.moves a, a.turn");
    if (spot) {
      if (event.timeStamp - answered > AT_ONCE) { // (of a screen reader, which has no pointer)
        click(spot.dataset.for);
      }
    } else if (event.target.matches(".swaps")) {
      swapHalves(event.target);
    } else if (event.target.matches(".tap")) {
      document.querySelector(`.answers button[value="${event.target.dataset.action}"]`).click();
    } else if (move && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault(); // (attributes of htmx at each of hundreds of moves would take longer than the board)
      htmx.ajax("GET", move.getAttribute("href"), { target: "#contest", swap: "outerHTML" });
    } else if (event.target.id === "watch") {
      clearInterval(watching);
      const steps = () => document.getElementById("step")?.click();
      watching = watching ? null : setInterval(steps, 1000 * SECONDS_BETWEEN_MOVES);
      event.target.textContent = watching ? event.target.dataset.stop : event.target.dataset.go;
    }
  });

  document.addEventListener("pointerdown", (event) => {
    touched = event.isPrimary && event.button === 0 ? event.target.closest(".spot") : null;
    const from = touched?.dataset.for;
    const path = from && nextAfter(picked).has(from) ? [...picked, from] : [from];
    if (from && nextAfter(path).size > 0) {
      drag = { path, from, begun: placeOf(event), at: [event.clientX, event.clientY], copy: null };
      event.target.releasePointerCapture?.(event.pointerId); // (touch screens keep it; the man may be dropped elsewhere)
    }
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || !event.isPrimary) {
      return;
    }
    const far = Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]);
    if (!drag.copy && far < DRAGGED_FROM) {
      return;
    }
    if (!drag.copy) {
      picked = drag.path;
      offer([]);
      light();
      drag.copy = lift(manOn(spotAt(drag.from), drag.begun));
    }
    const [x, y] = placeOf(event);
    drag.copy.setAttribute("transform", `translate(${x - drag.begun[0]} ${y - drag.begun[1]})`);
  });

  document.addEventListener("pointerup", (event) => {
    const there = document.elementFromPoint(event.clientX, event.clientY)?.closest(".spot");
    const isDrag = drag?.copy;
    putDown();
    if (isDrag && there && nextAfter(picked).has(there.dataset.for)) {
      seen.isDropped = true;
      click(there.dataset.for, true);
    } else if (isDrag) {
      picked = []; // (it goes back)
      light();
    } else if (touched && there === touched) {
      tap(there.dataset.for); // (a click comes later, and not always after a touch)
    }
    answered = touched ? event.timeStamp : answered;
    touched = null;
  });

  document.addEventListener("pointercancel", () => {
    if (drag?.copy) {
      picked = [];
      light();
    }
    putDown();
  });

  document.addEventListener("keydown", (event) => {
    const spot = event.target.closest?.(".spot, .place");
    if (!spot) {
      return;
    }
    if (event.key in { ...KEYS, ...EDGES, ...STEPS }) {
      event.preventDefault();
      led(spot, event.key)?.focus();
    } else if (spot.matches(".place")) {
      return; // (a button, which answers Enter by itself)
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      click(spot.dataset.for);
    } else if (event.key === "Escape") {
      picked = [];
      light();
    }
  });

  document.addEventListener("focusin", (event) => {
    if (event.target.matches?.(".spot, .place")) {
      rove(event.target);
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.shouldSwap && event.detail.target.id === "contest") {
      focused = placesOf(document.activeElement);
      // (htmx sends an event for every element that it removes: thousands for pictures and lists of moves, unless emptied)
      for (const bulky of event.detail.target.querySelectorAll("svg, nav.moves, #choices details")) {
        bulky.replaceChildren();
      }
    }
  });
  // (between swap and settle, the new contest has the attributes of the old one, which has the same id)
  document.addEventListener("htmx:afterSettle", (event) => {
    if (document.querySelector(".place")) {
      rove();
    }
    if (event.detail.target.id === "contest") {
      document.getElementById("trouble")?.replaceChildren();
      began();
    }
  });
  document.addEventListener("htmx:responseError", (event) => {
    document.getElementById("trouble")?.replaceChildren(event.detail.xhr.responseText);
    hasFailed = event.detail.elt.id === "contest";
    picked = [];
    light();
  });
  document.addEventListener("htmx:sendError", () => {
    const place = document.getElementById("trouble");
    if (place && !place.textContent) { // (it is an alert: said once, though the page asks again and again)
      place.textContent = "The server does not answer; is it still running?";
    }
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (hasFailed && event.detail.elt.id === "contest") {
      event.preventDefault(); // (an agent that fails is asked again when the page is loaded again)
    }
  });
  document.addEventListener("DOMContentLoaded", () => {
    began();
    rove();
  });
})();
