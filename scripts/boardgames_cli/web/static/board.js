// Clicks and keys on the board of a contest. Which locations make which action is in the list of all moves, which the
// server has written: each of its buttons names the locations of its action, in order, in data-path.
"use strict";

(() => {
  const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const SECONDS_BETWEEN_MOVES = 1;
  const MOST_TEXTS = 8;

  let picked = [];
  let focused = null;
  let watching = null;

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
      spot.setAttribute("tabindex", isNext ? "0" : "-1");
    }
    prompt();
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
    const some = texts.length <= MOST_TEXTS ? texts.join(", ") : `${texts.length} moves`;
    place.textContent = picked.length
      ? `${some}: go on with a lit location, or click the last one again to begin anew.`
      : place.dataset.usual;
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

  function click(location) {
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
    if (picked.length > 0 && done.length === 1 && !goesOn) {
      done[0].button.click();
    } else if (picked.length > 0 && done.length > 0) {
      offer(done.map(({ button }) => button));
    } else if (picked.length > 0) {
      say(`${spotAt(location).getAttribute("aria-label")} is picked; ${nextAfter(picked).size} possible next`);
    }
  }

  const centre = (spot) => [
    Number(spot.getAttribute("x")) + Number(spot.getAttribute("width")) / 2,
    Number(spot.getAttribute("y")) + Number(spot.getAttribute("height")) / 2,
  ];

  // the nearest location in a direction that can be clicked
  function neighbour(spot, [right, down]) {
    const [x, y] = centre(spot);
    let best = null;
    let least = Infinity;
    for (const other of spots()) {
      const [there, below] = centre(other);
      const along = (there - x) * right + (below - y) * down;
      const aside = Math.abs((there - x) * down) + Math.abs((below - y) * right);
      const far = along + 2.5 * aside;
      if (other !== spot && other.classList.contains("next") && along > 1 && far < least) {
        [best, least] = [other, far];
      }
    }
    return best;
  }

  function began() {
    if (!contest()) {
      return;
    }
    picked = [];
    light();
    say(contest().dataset.said);
    const current = document.querySelector(".moves [aria-current]");
    if (current) {
      current.closest("ol").scrollTop = current.parentElement.offsetTop;
    }
    if (focused) {
      const again = spotAt(focused);
      (again?.classList.contains("next") ? again : document.querySelector(".spot.next, .answers button"))?.focus();
    }
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
      click(spot.dataset.for);
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

  document.addEventListener("keydown", (event) => {
    const spot = event.target.closest?.(".spot");
    if (!spot) {
      return;
    }
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      click(spot.dataset.for);
    } else if (event.key === "Escape") {
      picked = [];
      light();
    } else if (event.key in KEYS) {
      event.preventDefault();
      neighbour(spot, KEYS[event.key])?.focus();
    }
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    focused = document.activeElement?.closest?.(".spot")?.dataset.location ?? focused;
    if (document.activeElement === document.body) {
      focused = null;
    }
    if (event.detail.target.id === "contest") {
      // (htmx sends an event for every element that it removes: thousands for pictures and lists of moves, unless emptied)
      for (const bulky of event.detail.target.querySelectorAll("svg, nav.moves, #choices details")) {
        bulky.replaceChildren();
      }
    }
  });
  // (between swap and settle, the new contest has the attributes of the old one, which has the same id)
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id === "contest") {
      document.getElementById("trouble")?.replaceChildren();
      began();
    }
  });
  document.addEventListener("htmx:responseError", (event) => {
    document.getElementById("trouble")?.replaceChildren(event.detail.xhr.responseText);
    picked = [];
    light();
  });
  document.addEventListener("htmx:sendError", () => {
    document.getElementById("trouble")?.replaceChildren("The server does not answer; is it still running?");
  });
  document.addEventListener("DOMContentLoaded", began);
  if (document.readyState !== "loading") {
    began();
  }
})();
