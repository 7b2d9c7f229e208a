// Defines the parts of the page of TrainingLog that are the same for all trainings.
#pragma once

namespace tapestry::detail {

inline constexpr const char* reportHead = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
)";

inline constexpr const char* reportStyle = R"(<style>
:root { color-scheme: light dark; --line: #2563eb; --soft: #2563eb40; --grid: #8884; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
#curves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 1rem; }
figure { margin: 0; } figcaption { font-weight: 600; display: flex; justify-content: space-between; }
figcaption span { font-weight: 400; font-variant-numeric: tabular-nums; }
svg.curve { width: 100%; height: auto; display: block; }
svg.curve text { font-size: 11px; fill: currentColor; opacity: .75; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .2rem .5rem; text-align: right; border: 1px solid var(--grid); }
section { overflow-x: auto; }
.images { display: flex; flex-wrap: wrap; gap: .75rem; }
.images figcaption { font-weight: 400; font-size: .8rem; }
</style>
)";

/// Draws the constants `epochs`, `seconds` and `curves` that come before.
inline constexpr const char* reportScript = R"(
const W = 480, H = 220, L = 56, R = 8, T = 8, B = 24, NS = 'http://www.w3.org/2000/svg';
const make = (name, attributes, parent) => {
  const element = document.createElementNS(NS, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  parent.append(element);
  return element;
};
const short = v => v === null ? '' : v !== 0 && (Math.abs(v) < 1e-3 || Math.abs(v) >= 1e6)
  ? v.toExponential(2) : String(Number(v.toPrecision(4)));
// the means of at most `most` groups of neighbours
const thinned = (values, most) => {
  const size = Math.max(1, Math.ceil(values.length / most)), points = [];
  for (let i = 0; i < values.length; i += size) {
    const known = values.slice(i, i + size).filter(v => v !== null);
    if (known.length) points.push([i + (Math.min(size, values.length - i) - 1) / 2,
                                   known.reduce((a, b) => a + b, 0) / known.length]);
  }
  return points;
};
const ticks = (low, high) => {
  const raw = (high - low) / 4, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), all = [];
  // counted, since adding a step that is small beside t may leave t as it is
  for (let i = Math.ceil(low / step); i * step <= high + step / 1e6 && all.length < 20; ++i)
    all.push(i * step);
  return all;
};
const separated = epochs[epochs.length - 1] - epochs[0] < 60;  // more lines would cover the curves
for (const curve of curves) {
  const known = curve.values.filter(v => v !== null);
  if (!known.length) continue;
  let low = Math.min(...thinned(curve.values, 600).map(p => p[1]));
  let high = Math.max(...thinned(curve.values, 600).map(p => p[1]));
  if (low >= 0 && low < high / 2) low = 0;
  // means of equal numbers differ in their last bits
  if (high - low <= 1e-6 * Math.max(Math.abs(low), Math.abs(high))) {
    const middle = (low + high) / 2, half = Math.abs(middle) / 2 || 1;
    low = middle - half;
    high = middle + half;
  }
  const n = curve.values.length, x = i => L + (W - L - R) * (n > 1 ? i / (n - 1) : .5);
  const y = v => T + (H - T - B) * (1 - (v - low) / (high - low));
  const figure = document.createElement('figure'), caption = document.createElement('figcaption');
  const last = known[known.length - 1], readout = document.createElement('span');
  caption.innerHTML = curve.title;
  readout.textContent = short(last);
  caption.append(readout);
  figure.append(caption);
  const svg = make('svg', {viewBox: `0 0 ${W} ${H}`, class: 'curve'}, figure);
  for (const t of ticks(low, high)) {
    make('line', {x1: L, x2: W - R, y1: y(t), y2: y(t), stroke: 'var(--grid)'}, svg);
    make('text', {x: L - 6, y: y(t) + 4, 'text-anchor': 'end'}, svg).textContent = short(t);
  }
  epochs.forEach((epoch, i) => {
    if (separated && i && epoch !== epochs[i - 1])
      make('line', {x1: x(i), x2: x(i), y1: T, y2: H - B, stroke: 'var(--grid)',
                    'stroke-dasharray': '3 3'}, svg);
  });
  make('text', {x: L, y: H - 6}, svg).textContent = 'step 1';
  make('text', {x: W - R, y: H - 6, 'text-anchor': 'end'}, svg).textContent = n;
  const pointsOf = most => thinned(curve.values, most).map(
    ([i, v]) => x(i).toFixed(1) + ',' + y(v).toFixed(1));
  const path = (most, color, width) => make('polyline', {fill: 'none', stroke: color, 'stroke-width': width,
    points: pointsOf(most).join(' ')}, svg);
  if (n > 120) path(600, 'var(--soft)', 1);
  path(n > 120 ? 60 : 600, 'var(--line)', 2);
  const cursor = make('line', {y1: T, y2: H - B, stroke: 'currentColor', visibility: 'hidden'}, svg);
  svg.onpointermove = event => {
    const at = (event.clientX - svg.getBoundingClientRect().left) / svg.clientWidth * W;
    const i = Math.max(0, Math.min(n - 1, Math.round((at - L) / (W - L - R) * (n - 1))));
    cursor.setAttribute('x1', x(i)); cursor.setAttribute('x2', x(i));
    cursor.setAttribute('visibility', 'visible');
    const where = `step ${i + 1}, epoch ${epochs[i]}, ${short(seconds[i])} s`;
    readout.textContent = where + ': ' + short(curve.values[i]);
  };
  svg.onpointerleave = () => {
    cursor.setAttribute('visibility', 'hidden');
    readout.textContent = short(last);
  };
  document.getElementById('curves').append(figure);
}
)";

}  // namespace tapestry::detail
