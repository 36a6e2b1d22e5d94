// The planner: the rule of `jitcost plan`, computed from the times and models in the page.
"use strict";

(function () {
  function formatSize(n) {
    return n.toLocaleString("en-US", { maximumFractionDigits: 6 });
  }

  function formatSeconds(seconds) {
    const units = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
    const [scale, unit] = units.find(([size]) => Math.abs(seconds) >= 0.9995 * size) || units[3];
    const value = seconds / scale;
    const size = Math.abs(value);
    return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2) + " " + unit;
  }

  function formatDuration(seconds) {
    for (const [size, unit] of [[86400, "days"], [3600, "h"], [60, "min"]]) {
      if (seconds >= 2 * size) {
        return Number((seconds / size).toPrecision(3)).toLocaleString("en-US") + " " + unit;
      }
    }
    return formatSeconds(seconds);
  }

  // What a law of growth makes of n.
  const GROWTH = {
    "n": (n) => n,
    "n log n": (n) => (n > 0 ? n * Math.log(n) : 0),
    "n^2": (n) => n ** 2,
    "n^3": (n) => n ** 3,
  };

  // `jitcost.stats.interpolate`: the lower of the two chords, and an interval that reaches to both.
  function interpolated([nLow, first, firstLow, firstHigh], [nHigh, last, lastLow, lastHigh], n) {
    const share = (n - nLow) / (nHigh - nLow);
    const linear = first + share * (last - first);
    const chords = [[linear, (share * last) / linear]];
    if (nLow > 0) {
      const weight = Math.log(n / nLow) / Math.log(nHigh / nLow);
      chords.push([first * (last / first) ** weight, weight]);
    }
    const found = { time: Math.min(...chords.map(([value]) => value)), source: "interpolated" };
    if (firstLow === null || lastLow === null) {
      return { ...found, low: null, high: null };
    }
    const spread = (one, other, weight) =>
      Math.exp(Math.hypot((1 - weight) * Math.log(one), weight * Math.log(other)));
    const lows = chords.map(([value, w]) => value / spread(first / firstLow, last / lastLow, w));
    const highs = chords.map(([value, w]) => value * spread(firstHigh / first, lastHigh / last, w));
    return { ...found, low: Math.min(...lows), high: Math.max(...highs) };
  }

  // The time at one size with its interval and source, or {reason}.
  function estimate(times, n) {
    const points = times.points;
    if (!points.length) {
      return { reason: "not measured" };
    }
    const point = points.find((p) => p[0] === n);
    if (point) {
      return { time: point[1], low: point[2], high: point[3], source: "measured" };
    }
    const above = points.findIndex((p) => p[0] > n);
    if (above > 0) {
      return interpolated(points[above - 1], points[above], n);
    }
    const [least, most] = [points[0][0], points[points.length - 1][0]];
    const { law, below, above: beyond, misfit } = times.model || {};
    const costs = n < least ? below : beyond;
    const at = (place) => costs[place] + costs[place + 3] * GROWTH[law](n);
    const time = costs ? at(0) : 0;
    if (!(time > 0)) {
      const extent = formatSize(least) + (least < most ? ` to ${formatSize(most)}` : "");
      const why = times.reason || "it is below zero there";
      return { reason: `measured for n = ${extent} only, and no model beyond: ${why}` };
    }
    const low = Math.max(0, Math.min(at(1), time) / (1 + misfit));
    return { time, low, high: Math.max(at(2), time) * (1 + misfit), source: "model" };
  }

  // The first call at one size: where first calls do not tell it, the compile cost of the nearest size
  // before a call in steady state; where nothing is compiled, that call alone.
  function firstCall({ compiles, first, steady }, n) {
    const found = estimate(first, n);
    const both = first.points
      .map((point) => [point, steady.points.find((other) => other[0] === point[0])])
      .filter(([, other]) => other);
    if (!found.reason || (compiles && !both.length)) {
      return found;
    }
    const further = estimate(steady, n);
    if (further.reason) {
      return further;
    }
    if (!compiles) {
      return { ...further, note: "nothing is compiled: its first call is taken for one in steady state" };
    }
    const distance = ([[size]]) => (size > 0 ? Math.abs(Math.log(size / n)) : Infinity);
    const [one, other] = both.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    const time = Math.max(further.time, one[1] - other[1] + further.time);
    const known = ![one[2], other[2], further.low].includes(null);
    const below = Math.hypot(one[1] - one[2], other[3] - other[1], further.time - further.low);
    const above = Math.hypot(one[3] - one[1], other[1] - other[2], further.high - further.time);
    return {
      time,
      low: known ? Math.max(0, time - below) : null,
      high: known ? time + above : null,
      source: "nearest",
      note: `its compile cost is that at n = ${formatSize(one[0])}, the nearest size with a first call`,
    };
  }

  const SOURCES = ["measured", "interpolated", "model", "nearest"];

  function planned(times, n, calls) {
    const { backend, name, largest, limit, steady } = times;
    if (largest !== null && n > largest) {
      return { backend, reason: limit, candidate: false };
    }
    const [one, further] = [firstCall(times, n), estimate(steady, n)];
    const reasons = [["first call", one], ["steady state", further]].filter(([, its]) => its.reason);
    if (reasons.length) {
      const reason = reasons.map(([what, its]) => `${what} ${its.reason}`).join("; ");
      return { backend, name, reason, candidate: true, lacksFirst: Boolean(one.reason) };
    }
    const more = calls - 1;
    const total = one.time + more * further.time;
    const known = ![one.low, one.high, further.low, further.high].includes(null);
    const half = (a, b) => Math.hypot(a, more * b);
    return {
      backend,
      candidate: true,
      first: one.time,
      further: further.time,
      total,
      low: known ? total - half(one.time - one.low, further.time - further.low) : null,
      high: known ? total + half(one.high - one.time, further.high - further.time) : null,
      source: SOURCES[Math.max(...[one, further].map((its) => SOURCES.indexOf(its.source)))],
      note: one.note,
    };
  }

  function plan(workload, n, calls) {
    const rows = workload.backends.map((its) => planned(its, n, calls));
    const possible = rows.filter((row) => !row.reason).sort((a, b) => a.total - b.total);
    const missing = rows.filter((row) => row.reason);
    // Nobody wins while there is a candidate of which nothing can be said.
    if (possible.length && !missing.some((row) => row.candidate)) {
      const smallest = possible[0].total;
      const equal = possible.filter((row) => row.total === smallest);
      const bound = Math.min(...equal.map((row) => row.high ?? Infinity));
      const provisional = possible.some((row) => row.low === null);
      for (const row of possible) {
        const close = row.low !== null && row.low <= bound && bound < Infinity;
        row.best = row.total === smallest || close; // overlap of intervals is no test
        row.provisional = row.best && provisional;
      }
    }
    return [...possible, ...missing];
  }

  function element(tag, text, attributes) {
    const made = document.createElement(tag);
    made.textContent = text;
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    return made;
  }

  // The sizes to measure, none for all: the rule of jitcost.questions.settling.
  function missingSizes(n, { steady, first }, lacksFirst) {
    const [below, above] = [steady.filter((size) => size <= n), steady.filter((size) => size >= n)];
    const both = first.filter((size) => steady.includes(size) && size > 0);
    if (!below.length || !above.length || (lacksFirst && !both.length)) {
      return [];
    }
    const distance = (size) => Math.abs(Math.log(size / n));
    const nearest = lacksFirst ? [both.reduce((a, b) => (distance(b) < distance(a) ? b : a))] : [];
    return [below[below.length - 1], above[0], ...nearest];
  }

  // The command that measures what is missing; null where it is not of the suite.
  function benchCommand(workload, n, missing) {
    if (!workload.bench || !missing.length) {
      return null;
    }
    const wanted = missing.map((row) => missingSizes(n, workload, row.lacksFirst));
    const sizes = wanted.some((its) => !its.length) ? [] : [...new Set(wanted.flat())];
    const chosen = sizes.sort((a, b) => a - b).map((size) => ` --n ${size}`).join("") || " --full";
    return `jitcost bench ${workload.bench}${missing.map((row) => ` --backend ${row.name}`).join("")}${chosen}`;
  }

  function sentence(rows, workload, n, calls) {
    const [best, ...others] = rows.filter((row) => row.best);
    const missing = rows.filter((row) => row.reason && row.candidate);
    if (!best) {
      const command = benchCommand(workload, n, missing);
      const how = command ? `: ${command}` : ".";
      const names = missing.map((row) => row.backend).join(", ");
      return rows.some((row) => !row.reason)
        ? `No winner is named: a measurement of ${names} at n = ${formatSize(n)} ` +
            `(first call and steady state) would decide${how}`
        : `Nothing can be said of n = ${formatSize(n)}, see the reasons below` +
            (command ? `; what would tell: ${command}` : ".");
    }
    const number = calls.toLocaleString("en-US");
    const close = others.map((row) => row.backend).join(", ");
    return (
      `${best.backend}: ${number} ${calls === 1 ? "call takes" : "calls take"} ` +
      `${formatDuration(best.total)}.` +
      (close ? ` Intervals that reach its interval (overlap is no test): ${close}.` : "") +
      (best.provisional ? " Provisional: not every backend has an interval here." : "")
    );
  }

  function table(rows, caption) {
    const made = element("table", "");
    made.append(element("caption", caption));
    const head = made.createTHead().insertRow();
    ["backend", "first call", "each further", "total", "interval", "by"].forEach((heading, i) =>
      head.append(element("th", heading, { scope: "col", class: i % 5 ? "" : "words" })));
    const body = made.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      line.append(element("th", row.backend, { scope: "row", class: "words" }));
      if (row.reason) {
        line.append(element("td", row.reason, { colspan: 5, class: "words warn" }));
        continue;
      }
      line.append(element("td", formatSeconds(row.first)));
      line.append(element("td", formatSeconds(row.further)));
      const star = row.best ? (row.provisional ? "(*)" : "*") : "";
      const total = star + { interpolated: "~", model: "~~", nearest: "~~~", measured: "" }[row.source] + formatDuration(row.total);
      line.append(element("td", total, { class: row.best ? "best" : "" }));
      const interval = row.low === null ? "none" : `${formatDuration(row.low)} to ${formatDuration(row.high)}`;
      line.append(element("td", interval));
      line.append(element("td", row.source, { class: "words" }));
    }
    return made;
  }

  function start(section) {
    const workloads = JSON.parse(section.querySelector(".planner-data").textContent);
    const form = section.querySelector("form");
    const answer = section.querySelector(".planner-answer");
    const measured = section.querySelector(".planner-measured");
    workloads.forEach((workload, i) => {
      const params = Object.entries(workload.params).map(([name, value]) => `, ${name} = ${value}`);
      form.workload.add(new Option(workload.workload + params.join(""), i));
    });
    form.workload.value = form.workload.dataset.start;

    function show() {
      const workload = workloads[Number(form.workload.value)];
      const [n, calls] = [form.n, form.calls].map((input) => Number(input.value));
      if (![n, calls].every((number) => Number.isSafeInteger(number) && number >= 1)) {
        answer.replaceChildren(element("p", "Give whole numbers of at least 1.", { class: "warn" }));
        return;
      }
      const rows = plan(workload, n, calls);
      const number = calls.toLocaleString("en-US");
      measured.textContent = "Measured n: " + workload.sizes.map(formatSize).join(", ") + ".";
      const caption = `${workload.workload}: ${number} calls at n = ${formatSize(n)}`;
      const box = element("div", "", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption });
      box.append(table(rows, caption));
      const notes = rows
        .filter((row) => row.note)
        .map((row) => `${row.backend}: ${row.note}.`);
      const others = workload.absent.filter(({ largest }) => largest === null || n <= largest);
      if (others.length) {
        const names = others.map((its) => its.backend).join(", ");
        notes.unshift(`Not measured here, and not considered: ${names}.`);
      }
      const below = notes.map((note) => element("p", note, { class: "rule" }));
      answer.replaceChildren(element("p", sentence(rows, workload, n, calls), { class: "verdict" }), box, ...below);
    }

    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    show();
  }

  document.querySelectorAll(".planner").forEach(start);
})();
