// What plays contests on the page: by clicks in one go, by keys step by step, since keys are pressed from outside.
(() => {
  const TABBABLE = "a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']";

  let swaps = 0;
  let trouble = "";
  let wake = () => {};
  document.addEventListener("htmx:afterSettle", () => {
    swaps += 1;
    wake();
  });
  for (const name of ["htmx:responseError", "htmx:sendError"]) {
    document.addEventListener(name, (event) => {
      trouble = event.detail.xhr?.responseText || name;
      wake();
    });
  }

  async function swapped(before) {
    if (swaps === before && !trouble) {
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, 300_000);
      });
    }
    if (swaps === before) {
      throw new Error(trouble || "the server has not answered");
    }
  }

  // what the page shows of the position
  const shown = () => ({
    spots: [...document.querySelectorAll(".spot")].map((spot) => spot.getAttribute("aria-label")),
    next: [...document.querySelectorAll(".spot.next")].map((spot) => Number(spot.dataset.location)),
    choices: [...document.querySelectorAll("#choices button[name=action]")].map((button) => [
      Number(button.value),
      button.textContent,
      button.dataset.path ? button.dataset.path.split(" ").map(Number) : [],
    ]),
    status: document.querySelector(".status").textContent,
    isOver: document.querySelector(".status.over") !== null,
  });

  const spotAt = (location) => document.querySelector(`.spot.next[data-location='${location}']`);
  // the button that is left to press for an action once its locations have been clicked, if there is one
  const buttonOf = (choice) =>
    document.querySelector(`${choice[2].length ? "#ambiguous" : ".answers"} button[value='${choice[0]}']`);

  // click an element where it is on the screen, if nothing lies above it
  function click(element) {
    element.scrollIntoView({ block: "nearest" });
    const area = element.getBoundingClientRect();
    const hit = document.elementFromPoint(area.x + area.width / 2, area.y + area.height / 2);
    if (hit === null || !element.contains(hit)) {
      throw new Error(`${element.getAttribute("aria-label") || element.textContent} is covered`);
    }
    hit.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
  }

  async function playByClicks(draws) {
    const seen = [];
    for (const draw of draws) {
      const position = shown();
      if (position.isOver) {
        break;
      }
      const choice = position.choices[Math.floor(draw * position.choices.length)];
      seen.push({ ...position, action: choice[0] });
      const before = swaps;
      for (const location of choice[2]) {
        const spot = spotAt(location);
        if (!spot) {
          throw new Error(`${choice[1]} cannot be clicked`);
        }
        click(spot);
      }
      if (swaps === before && buttonOf(choice)) {
        click(buttonOf(choice));
      }
      await swapped(before);
    }
    return seen;
  }

  const isShown = (element) =>
    element.getClientRects().length > 0 && (!element.closest("details:not([open])") || element.matches("summary"));

  // how often Tab must be pressed to come from what has the focus to an element; less than 0: Shift and Tab
  function tabsTo(element) {
    const order = [...document.querySelectorAll(TABBABLE)].filter((each) => each === element || isShown(each));
    const here = order.indexOf(document.activeElement);
    return here < 0 ? null : order.indexOf(element) - here;
  }

  // the element that the next key is for: the next location, or the button at the end; null once the move is made
  function target(choice, clicked) {
    return clicked < choice[2].length ? spotAt(choice[2][clicked]) : buttonOf(choice);
  }

  window.everyGame = {
    shown,
    playByClicks,
    tabs: (choice, clicked) => {
      const element = target(choice, clicked);
      if (!element) {
        throw new Error(`${choice[1]} cannot be reached`);
      }
      return tabsTo(element);
    },
    isThere: (choice, clicked) => document.activeElement === target(choice, clicked),
    swaps: () => swaps,
    afterEnter: async (choice, clicked, before) => {
      const isSent = clicked >= choice[2].length && !buttonOf(choice);
      if (isSent || clicked > choice[2].length) {
        await swapped(before);
        return { isMade: true, position: shown() };
      }
      return { isMade: false };
    },
  };
})();
