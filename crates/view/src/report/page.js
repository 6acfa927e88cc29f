// Shows the time and the values under the pointer.
document.querySelectorAll(".plot svg[data-t0]").forEach((svg) => {
  const data = Object.fromEntries(Object.entries(svg.dataset).map(([key, value]) => [key, Number(value)]));
  const lines = [...svg.querySelectorAll("path[data-name]")].map((path) => ({
    name: path.dataset.name,
    points: path
      .getAttribute("d")
      .split(/[ML]/)
      .filter(Boolean)
      .map((pair) => pair.split(" ").map(Number)),
  }));
  const hair = document.createElementNS("http://www.w3.org/2000/svg", "path");
  hair.setAttribute("class", "hair");
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  svg.append(hair);
  svg.parentElement.append(tip);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * svg.viewBox.baseVal.width;
    if (x < data.x0 || x > data.x1) return leave();
    const time = data.t0 + ((x - data.x0) / (data.x1 - data.x0)) * (data.t1 - data.t0);
    const rows = lines.map(({ name, points }) => {
      const near = points.reduce((best, point) => (Math.abs(point[0] - x) < Math.abs(best[0] - x) ? point : best), points[0] ?? [0, 0]);
      const value = data.v0 + ((near[1] - data.y0) / (data.y1 - data.y0)) * (data.v1 - data.v0);
      return `${name}: ${value.toFixed(1)}`;
    });
    hair.setAttribute("d", `M${x} ${data.y1}V${data.y0}`);
    tip.innerText = [`${time.toFixed(2)} s`, ...rows].join("\n");
    tip.hidden = false;
    const left = event.clientX - box.left;
    tip.style.top = "34px";
    tip.style.left = left < box.width / 2 ? `${left + 24}px` : "auto";
    tip.style.right = left < box.width / 2 ? "auto" : `${box.width - left + 24}px`;
  });
  const leave = () => {
    hair.removeAttribute("d");
    tip.hidden = true;
  };
  svg.addEventListener("pointerleave", leave);
});
