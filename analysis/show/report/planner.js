// The planner: the rule of `jitcost plan`, computed from the times and fits in the page.
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

  // The time at one size with its interval and source, or {reason}; `drawn` as in `jitcost plan`.
  function estimate(times, n, drawn) {
    const point = times.points.find((p) => p[0] === n);
    if (point) {
      return { time: point[1], low: point[2], high: point[3], source: "measured" };
    }
    if (!times.points.length) {
      return { reason: "not measured" };
    }
    const sizes = times.points.map((p) => p[0]);
    const least = Math.min(...sizes);
    const most = Math.max(...sizes);
    if (n < least || n > most) {
      return { reason: `measured for n = ${formatSize(least)} to ${formatSize(most)} only` };
    }
    const piece = times.pieces[times.bends.filter((bend) => n > bend).length];
    const time = piece ? piece[0] + piece[1] * n : 0;
    if (!(time > 0) && drawn) {
      const below = times.points.filter((p) => p[0] < n).reduce((a, b) => (b[0] > a[0] ? b : a));
      const above = times.points.filter((p) => p[0] > n).reduce((a, b) => (b[0] < a[0] ? b : a));
      return {
        time: below[1] + ((n - below[0]) / (above[0] - below[0])) * (above[1] - below[1]),
        low: Math.min(below[2], above[2]),
        high: Math.max(below[3], above[3]),
        source: "fit",
      };
    }
    if (!(time > 0)) {
      return { reason: `not measured at this n, and no fit: ${times.reason || "it is not a time"}` };
    }
    const [, , misfit, t, v00, v01, v11] = piece;
    const half = t * Math.sqrt(v00 + 2 * v01 * n + v11 * n * n + (misfit * time) ** 2);
    return { time, low: Math.max(0, time - half), high: time + half, source: "fit" };
  }

  function plan(workload, n, calls) {
    const rows = workload.backends.map(({ backend, first, steady }) => {
      const one = estimate(first, n, true);
      const further = estimate(steady, n);
      const reason = one.reason || further.reason;
      if (reason) {
        return { backend, reason };
      }
      const sum = (key) => one[key] + (calls - 1) * further[key];
      const fitted = one.source === "fit" || further.source === "fit";
      return {
        backend,
        first: one.time,
        further: further.time,
        total: sum("time"),
        low: sum("low"),
        high: sum("high"),
        source: fitted ? "fit" : "measured",
      };
    });
    const possible = rows.filter((row) => !row.reason).sort((a, b) => a.total - b.total);
    for (const row of possible) {
      row.best = row.low <= possible[0].high; // the fastest, or not significantly slower
    }
    return [...possible, ...rows.filter((row) => row.reason)];
  }

  function element(tag, text, attributes) {
    const made = document.createElement(tag);
    made.textContent = text;
    Object.entries(attributes || {}).forEach(([name, value]) => made.setAttribute(name, value));
    return made;
  }

  function sentence(rows, calls) {
    const [best, ...others] = rows.filter((row) => row.best);
    if (!best) {
      return "Nothing can be said of this n: see the reasons below.";
    }
    const number = calls.toLocaleString("en-US");
    const tied = others.map((row) => row.backend).join(", ");
    return (
      `${best.backend}: ${number} ${calls === 1 ? "call takes" : "calls take"} ` +
      `${formatDuration(best.total)}.` + (tied ? ` Not significantly slower: ${tied}.` : "")
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
      const total = (row.best ? "*" : "") + formatDuration(row.total);
      line.append(element("td", total, { class: row.best ? "best" : "" }));
      line.append(element("td", `${formatDuration(row.low)} to ${formatDuration(row.high)}`));
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
      answer.replaceChildren(element("p", sentence(rows, calls), { class: "verdict" }), box);
    }

    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    show();
  }

  document.querySelectorAll(".planner").forEach(start);
})();
