// data/html/run.js: plays a run's page. It draws what the program gave: marks, channels, events. It computes no physics: live.js does, where
// the page has it, and gives a motion of the same form to be shown beside the stored one.
'use strict';
const damaged = (error) => {
  const line = document.getElementById('trouble');
  line.textContent = 'This page is damaged or was changed: ' + error.message;
  line.hidden = false;
};
window.addEventListener('unhandledrejection', (event) => damaged(event.reason)); // a channel that cannot be unpacked, say
(async () => {
  const $ = (id) => document.getElementById(id);
  const meta = JSON.parse($('meta').textContent);
  let n = meta.frames;

  // ---- numbers -----------------------------------------------------------------------------------------------------

  const text = atob($('data').textContent);
  const data = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) data[i] = text.charCodeAt(i);

  async function inflate(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // A column as app/export/ssapp-pack.h tells: bytes by planes, differences of some order, whole steps above the least.
  function unpack(c, bytes, at) {
    const out = new Float64Array(n);
    if (c.step === 0) return out.fill(c.least);
    let one = c.first, two = c.first;
    for (let k = 0; k < n; k++) {
      let code = 0, weight = 1;
      for (let b = 0, i = at + k; b < c.bytes; b++, i += n, weight *= 256) code += bytes[i] * weight;
      const r = code % 2 ? -(code + 1) / 2 : code / 2;
      const q = c.order === 0 ? r : c.order === 1 ? r + one : r + 2 * one - two;
      two = one;
      one = q;
      out[k] = c.gaps ? (q === 0 ? NaN : c.least + c.step * (q - 1)) : c.least + c.step * q;
    }
    return out;
  }

  if (typeof DecompressionStream === 'undefined') {
    $('trouble').textContent = 'This browser cannot unpack the page. Versions from 2023 on can: Firefox 113, Chromium 80, Safari 16.4.';
    $('trouble').hidden = false;
    return;
  }
  const first = meta.channels.reduce((least, c) => Math.min(least, c.at), meta.live && meta.live.study ? meta.live.study.at : data.length);
  const motion = await inflate(data.subarray(0, first));
  const columns = meta.columns.map((c) => unpack(c, motion, c.at));
  const field = (f) => (typeof f === 'number' ? null : columns[f[0]]);
  let times = field(meta.t) || new Float64Array(n).fill(meta.t);
  let begin = times[0], end = times[n - 1];
  let marks = meta.marks.map((m) => {
    const out = {kind: m.kind, role: m.role, name: m.name, color: m.color, trace: m.trace, layer: m.layer, text: m.text || '', own: [], vertices: [], moving: []};
    for (const name of ['visible', 'x', 'y', 'angle', 'radius', 'vx', 'vy', 'value']) {
      out[name] = typeof m[name] === 'number' ? m[name] : 0;
      if (field(m[name])) out.own.push([name, field(m[name])]);
    }
    m.vertices.forEach((v, i) => {
      out.vertices.push(typeof v === 'number' ? v : 0);
      if (field(v)) out.moving.push([i, field(v)]);
    });
    return out;
  });
  const byLayer = (list) => [0, 1, 2, 3].map((l) => list.filter((m) => m.layer === l));
  let layers = byLayer(marks);

  // What is on show, and what lies faint beside it (null: nothing): frames, their times, marks, events, and values of a channel in each
  // frame (undefined: it has none of that name).
  const stored = {n, times, marks, layers, events: meta.events, of: (c) => c.values};
  let shown = stored, beside = null;

  // The marks as they are in frame k.
  function pose(k, list = marks) {
    for (const m of list) {
      for (const [name, values] of m.own) m[name] = values[k];
      for (const [i, values] of m.moving) m.vertices[i] = values[k];
    }
  }

  async function channelValues(c) {
    if (!c.values) c.values = unpack(c, c.length > 8 ? await inflate(data.subarray(c.at, c.at + c.length)) : new Uint8Array(0), 0);
    return c.values;
  }

  const short = (value) => {
    if (!Number.isFinite(value)) return '–';
    const size = Math.abs(value);
    const out = size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(3) : String(Number(value.toPrecision(5)));
    return out.replace('-', '−');
  };

  // ---- colours -----------------------------------------------------------------------------------------------------

  const dark = matchMedia('(prefers-color-scheme: dark)');
  let printing = false;
  let colors = null;
  const choosePalette = () => { colors = meta.palettes[dark.matches && !printing ? 'dark' : 'light']; };
  choosePalette();
  const faded = (color, alpha) => color.slice(0, 7) + Math.round(alpha * 255).toString(16).padStart(2, '0');

  // ---- the picture -------------------------------------------------------------------------------------------------

  const canvas = $('motion'), ctx = canvas.getContext('2d');
  const camera = {scale: 1, ox: 0, oy: 0, width: 0, height: 0, own: false};
  let frame = -1, now = begin;

  // Fits a canvas to its place on the screen; true when its size changed.
  function fit(target) {
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const w = Math.max(1, Math.round(target.clientWidth * ratio)), h = Math.max(1, Math.round(target.clientHeight * ratio));
    const changed = target.width !== w || target.height !== h;
    if (changed) { target.width = w; target.height = h; }
    target.getContext('2d').setTransform(ratio, 0, 0, ratio, 0, 0);
    return changed;
  }

  function wholeMotion() {
    const [x0, y0, x1, y1] = meta.bounds, margin = 40;
    const w = Math.max(x1 - x0, 1e-9), h = Math.max(y1 - y0, 1e-9);
    camera.scale = Math.min((camera.width - 2 * margin) / w, (camera.height - 2 * margin) / h);
    if (!(camera.scale > 0)) camera.scale = 1;
    camera.ox = camera.width / 2 - camera.scale * (x0 + x1) / 2;
    camera.oy = camera.height / 2 + camera.scale * (y0 + y1) / 2;
    camera.own = false;
    paths = null;
  }

  const sx = (x) => camera.ox + x * camera.scale, sy = (y) => camera.oy - y * camera.scale;

  function outline(m) {
    const x = sx(m.x), y = sy(m.y), s = camera.scale, v = m.vertices;
    ctx.beginPath();
    if (m.kind === 'circle') {
      ctx.arc(x, y, m.radius * s, 0, 2 * Math.PI);
      return true;
    }
    const c = Math.cos(m.angle) * s, d = Math.sin(m.angle) * s;
    if (m.kind === 'capsule' && v.length === 4) {
      const ax = x + c * v[0] - d * v[1], ay = y - (d * v[0] + c * v[1]), bx = x + c * v[2] - d * v[3], by = y - (d * v[2] + c * v[3]);
      const along = Math.atan2(by - ay, bx - ax);
      ctx.arc(ax, ay, m.radius * s, along + Math.PI / 2, along + 1.5 * Math.PI);
      ctx.arc(bx, by, m.radius * s, along - Math.PI / 2, along + Math.PI / 2);
      ctx.closePath();
      return true;
    }
    if ((m.kind !== 'polygon' && m.kind !== 'gear') || v.length < 4) return false;
    for (let i = 0; i < v.length; i += 2) ctx.lineTo(x + c * v[i] - d * v[i + 1], y - (d * v[i] + c * v[i + 1]));
    ctx.closePath();
    return true;
  }

  function stroke(color, width, dash) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    ctx.setLineDash(dash || []);
    ctx.stroke();
  }

  // What is fixed: a tint and lines of 45 degrees. The current path is filled, and stays.
  let hatch = null;
  function fillFixed() {
    if (!hatch || hatch.color !== colors.fixed) {
      const tile = document.createElement('canvas'), ratio = 2, size = 16 * ratio;
      tile.width = tile.height = size;
      const t = tile.getContext('2d');
      t.strokeStyle = faded(colors.fixed, 0.5);
      t.lineWidth = ratio;
      t.beginPath();
      for (const o of [-size, 0, size]) { t.moveTo(o, size); t.lineTo(o + size, 0); }
      t.stroke();
      hatch = {color: colors.fixed, pattern: ctx.createPattern(tile, 'repeat')};
      hatch.pattern.setTransform(new DOMMatrix().scale(1 / ratio));
    }
    ctx.fillStyle = faded(colors.fixed, 0.18);
    ctx.fill();
    ctx.fillStyle = hatch.pattern;
    ctx.fill();
  }

  function halfPlane(m) {
    const x = sx(m.x), y = sy(m.y), ux = Math.cos(m.angle), uy = -Math.sin(m.angle), nx = -uy, ny = ux, depth = 20;
    const along = (camera.width / 2 - x) * ux + (camera.height / 2 - y) * uy, reach = Math.hypot(camera.width, camera.height);
    const ax = x + (along - reach) * ux, ay = y + (along - reach) * uy, bx = x + (along + reach) * ux, by = y + (along + reach) * uy;
    if (Math.hypot((ax + bx - camera.width) / 2, (ay + by - camera.height) / 2) > 10 * reach) return;
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.lineTo(bx + depth * nx, by + depth * ny);
    ctx.lineTo(ax + depth * nx, ay + depth * ny);
    ctx.closePath();
    fillFixed();
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    stroke(colors.fixed, 2);
  }

  function arrow(x0, y0, x1, y1, color, width) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length < 0.5) return;
    const head = Math.min(8, 0.6 * length), dx = (x1 - x0) / length, dy = (y1 - y0) / length;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.lineTo(x1 - head * 0.8 * dx, y1 - head * 0.8 * dy);
    stroke(color, width);
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x1 - head * dx - head * 0.5 * dy, y1 - head * dy + head * 0.5 * dx);
    ctx.lineTo(x1 - head * dx + head * 0.5 * dy, y1 - head * dy - head * 0.5 * dx);
    ctx.fillStyle = color;
    ctx.fill();
  }

  // How far an arrow moves along itself, as a part of its length, so that its free end is seen; its point stays on it.
  function slide(freeX, freeY, dx, dy) {
    const edge = 3, heldX = freeX + dx, heldY = freeY + dy, w = camera.width, h = camera.height;
    if (heldX < 0 || heldX > w || heldY < 0 || heldY > h) return 0;
    let out = 0;
    if (freeX < edge) out = Math.max(out, (edge - freeX) / dx);
    else if (freeX > w - edge) out = Math.max(out, (w - edge - freeX) / dx);
    if (freeY < edge) out = Math.max(out, (edge - freeY) / dy);
    else if (freeY > h - edge) out = Math.max(out, (h - edge - freeY) / dy);
    return Math.min(1, out);
  }

  function ring(x, y, radius, color) {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fillStyle = colors.view;
    ctx.fill();
    stroke(color, 2);
  }

  function centre(m) {
    const x = sx(m.x), y = sy(m.y), r = 5.5;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.fillStyle = colors.view;
    ctx.fill();
    stroke(colors.foreground, 1.2);
    ctx.beginPath();
    for (let q = 0; q < 2; q++) {
      ctx.moveTo(x, y);
      ctx.arc(x, y, r, -m.angle + q * Math.PI, -m.angle + q * Math.PI + Math.PI / 2);
      ctx.closePath();
    }
    ctx.fillStyle = colors.foreground;
    ctx.fill();
  }

  function spring(x0, y0, x1, y1) {
    const turns = 8, length = Math.hypot(x1 - x0, y1 - y0) || 1, nx = -(y1 - y0) / length * 7, ny = (x1 - x0) / length * 7;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    for (let i = 0; i <= turns; i++) {
      const a = 0.15 + 0.7 * i / turns, side = i === 0 || i === turns ? 0 : i % 2 ? 1 : -1;
      ctx.lineTo(x0 + a * (x1 - x0) + side * nx, y0 + a * (y1 - y0) + side * ny);
    }
    ctx.lineTo(x1, y1);
    stroke(colors.dim, 1.4);
  }

  // A line from point to point; slack hangs as deep as a parabola that is as much longer, beside itself where it falls.
  function rope(m, x, y) {
    const v = m.vertices, s = camera.scale, slack = Math.hypot(m.vx, m.vy), ux = slack ? m.vx / slack : 0, uy = slack ? m.vy / slack : 0;
    let all = 0;
    for (let i = 2; i < v.length; i += 2) all += Math.hypot(v[i] - v[i - 2], v[i + 1] - v[i - 1]);
    ctx.beginPath();
    ctx.moveTo(x + s * v[0], y - s * v[1]);
    for (let i = 2; i < v.length; i += 2) {
      const dx = v[i] - v[i - 2], dy = v[i + 1] - v[i - 1], chord = Math.hypot(dx, dy);
      const hangs = slack * (all ? chord / all : 2 / (v.length - 2)), depth = 4 / 3 * Math.sqrt(0.375 * chord * hangs + hangs * hangs / 4);
      const along = chord ? 0.35 * Math.abs(ux * dx + uy * dy) / chord : 0, px = depth * (ux - along * uy), py = depth * (uy + along * ux);
      ctx.bezierCurveTo(x + s * (v[i - 2] + px), y - s * (v[i - 1] + py), x + s * (v[i] + px), y - s * (v[i + 1] + py), x + s * v[i], y - s * v[i + 1]);
    }
    stroke(colors.foreground, 2.2);
  }

  function drawMark(m) {
    const x = sx(m.x), y = sy(m.y), body = colors.bodies[m.color] || colors.bodies[''];
    switch (m.kind) {
      case 'half-plane':
        halfPlane(m);
        break;
      case 'polygon':
      case 'circle':
      case 'capsule':
        if (!outline(m)) break;
        if (m.role === 'fixed') {
          fillFixed();
          stroke(colors.fixed, 2);
        } else if (m.role === 'goal') {
          ctx.fillStyle = faded(colors.goal, 0.07);
          ctx.fill();
          stroke(colors.goal, 2, [7, 5]);
        } else if (m.role === 'guide') {
          stroke(colors.dim, 1.4, [9, 3, 2, 3]);
        } else {
          ctx.fillStyle = body[1];
          ctx.fill();
          stroke(body[0], 2);
        }
        break;
      case 'segment':
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(sx(m.x + m.vx), sy(m.y + m.vy));
        if (m.role === 'guide') stroke(colors.dim, 1.4, [9, 3, 2, 3]);
        else if (m.role === 'goal') stroke(colors.goal, 4, [7, 5]);
        else stroke(m.role === 'fixed' ? colors.fixed : m.role === 'contact' ? colors.contact : body[0], 4);
        break;
      case 'spring':
        spring(x, y, sx(m.x + m.vx), sy(m.y + m.vy));
        break;
      case 'gear':
        if (outline(m)) stroke(colors.dim, 1.6);
        break;
      case 'rope':
        rope(m, x, y);
        break;
      case 'distance': {
        const u = sx(m.x + m.vx), v = sy(m.y + m.vy);
        ctx.beginPath();
        ctx.moveTo(x, y);
        ctx.lineTo(u, v);
        stroke(colors.dim, 1.4);
        ctx.fillStyle = colors.dim;
        ctx.fillText(m.name + ' ' + short(Math.hypot(m.vx, m.vy)) + ' m', (x + u) / 2 + 6, (y + v) / 2);
        break;
      }
      case 'angle': { // both directions, and the way from the first to the second
        const far = 28, to = m.angle + m.value, shown = m.angle + Math.max(Math.min(m.value, 2 * Math.PI), -2 * Math.PI), half = (m.angle + shown) / 2;
        ctx.beginPath();
        for (const way of [m.angle, to]) {
          ctx.moveTo(x, y);
          ctx.lineTo(x + 1.3 * far * Math.cos(way), y - 1.3 * far * Math.sin(way));
        }
        ctx.moveTo(x + far * Math.cos(m.angle), y - far * Math.sin(m.angle));
        ctx.arc(x, y, far, -m.angle, -shown, shown > m.angle);
        stroke(colors.dim, 1.4);
        ctx.fillStyle = colors.dim;
        ctx.fillText(m.name + ' ' + (m.value * 180 / Math.PI).toFixed(1) + '°', x + 1.9 * far * Math.cos(half), y - 1.6 * far * Math.sin(half));
        break;
      }
      case 'note':
        ctx.fillStyle = colors.dim;
        (m.text || '').split('\n').forEach((line, i) => ctx.fillText(line, x, y + 15 * i));
        break;
      case 'arrow': {
        if (!$('arrows').checked) break;
        const velocity = m.role === 'velocity', px = velocity ? meta.arrows.velocity : meta.arrows.force;
        const dx = m.vx * px, dy = -m.vy * px, on = velocity ? -slide(x + dx, y + dy, -dx, -dy) : slide(x - dx, y - dy, dx, dy);
        if (velocity) {
          arrow(x + on * dx, y + on * dy, x + (1 + on) * dx, y + (1 + on) * dy, colors.velocity, 2.4);
        } else {
          arrow(x + (on - 1) * dx, y + (on - 1) * dy, x + on * dx, y + on * dy, m.role === 'contact' ? colors.contact : colors.force, 2.6);
          ring(x, y, 4, colors.contact);
        }
        break;
      }
      default:
        if (m.role === 'centre') centre(m);
        else if (m.role === 'contact') ring(x, y, 4, colors.contact);
        else ring(x, y, 4.5, m.role === 'fixed' ? colors.fixed : colors.dim);
    }
  }

  // Paths of what leaves a trace, for this camera: points nearer than half a pixel to the last one are left out.
  let paths = null;
  function makePaths() {
    paths = [];
    for (const m of marks) {
      if (!m.trace) continue;
      const x = (m.own.find((o) => o[0] === 'x') || [])[1], y = (m.own.find((o) => o[0] === 'y') || [])[1];
      if (!x && !y) continue;
      const path = new Path2D();
      let lastX = NaN, lastY = NaN;
      for (let k = 0; k < n; k++) {
        const px = sx(x ? x[k] : m.x), py = sy(y ? y[k] : m.y);
        if (k > 0 && k < n - 1 && Math.abs(px - lastX) < 0.5 && Math.abs(py - lastY) < 0.5) continue;
        path.lineTo(px, py);
        lastX = px;
        lastY = py;
      }
      paths.push([m, path]);
    }
  }

  function niceFloor(value) {
    const power = 10 ** Math.floor(Math.log10(value)), mantissa = value / power;
    return (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1) * power;
  }

  function scaleBar() {
    const metres = niceFloor(110 / camera.scale), x = 14, y = camera.height - 14;
    ctx.beginPath();
    ctx.moveTo(x, y - 5);
    ctx.lineTo(x, y);
    ctx.lineTo(x + metres * camera.scale, y);
    ctx.lineTo(x + metres * camera.scale, y - 5);
    stroke(colors.view, 4);
    stroke(colors.dim, 1.5);
    ctx.fillStyle = colors.dim;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.font = '12px Cantarell, sans-serif';
    ctx.strokeStyle = colors.view;
    ctx.lineWidth = 3;
    ctx.strokeText(short(metres) + ' m', x + 4, y - 7);
    ctx.fillText(short(metres) + ' m', x + 4, y - 7);
  }

  function draw() {
    if (fit(canvas) || camera.width !== canvas.clientWidth || camera.height !== canvas.clientHeight) {
      camera.width = canvas.clientWidth;
      camera.height = canvas.clientHeight;
      if (!camera.own) wholeMotion();
      paths = null;
    }
    pose(frame);
    ctx.fillStyle = colors.view;
    ctx.fillRect(0, 0, camera.width, camera.height);
    ctx.lineJoin = 'round';
    if (beside) {
      pose(frameAt(now, beside), beside.marks);
      for (const m of beside.marks) if (m.visible && m.role === 'body' && outline(m)) stroke(colors.dim, 1.5, [4, 3]);
    }
    for (let layer = 0; layer < 4; layer++) {
      if (layer === 2 && $('traces').checked) {
        if (!paths) makePaths();
        ctx.setLineDash([]);
        ctx.lineWidth = 1.5;
        for (const [m, path] of paths) {
          ctx.strokeStyle = faded((colors.bodies[m.color] || colors.bodies[''])[0], 0.45);
          ctx.stroke(path);
        }
      }
      for (const m of layers[layer]) if (m.visible) drawMark(m);
    }
    scaleBar();
  }

  // ---- plots -------------------------------------------------------------------------------------------------------

  const plots = [];
  const left = 62, right = 12, top = 8, bottom = 22;

  function ticks(least, most, count) {
    const out = [], step = niceFloor((most - least) / count) || 1;
    for (let i = Math.ceil(least / step - 1e-9); i * step <= most + 1e-9 * step; i++) out.push(i * step);
    return out;
  }

  // Least and largest value in each of the plot's columns of pixels: what a line of them shows.
  function reduce({n, times}, values, width) {
    const out = [], span = end - begin || 1;
    for (let k = 0; k < n;) {
      const column = Math.floor((times[k] - begin) / span * width);
      let lo = k, hi = k, last = k;
      for (; last < n && Math.floor((times[last] - begin) / span * width) === column; last++) {
        if (values[last] < values[lo] || Number.isNaN(values[lo])) lo = last;
        if (values[last] > values[hi] || Number.isNaN(values[hi])) hi = last;
      }
      for (const i of [...new Set([k, lo, hi, last - 1])].sort((a, b) => a - b)) out.push(i);
      k = last;
    }
    return out;
  }

  function drawPlot(p) {
    const c = p.canvas.getContext('2d');
    fit(p.canvas);
    const w = p.canvas.clientWidth, h = p.canvas.clientHeight, wide = w - left - right, tall = h - top - bottom, span = end - begin || 1;
    const tell = (v) => (p.log ? (v > 0 ? Math.log10(v) : NaN) : v);
    let least = Infinity, most = -Infinity;
    const include = (v) => { if (Number.isFinite(v)) { least = Math.min(least, v); most = Math.max(most, v); } };
    for (const curve of p.curves) {
      for (const motion of [shown, beside]) for (const v of (motion && motion.of(curve)) || []) include(tell(v));
      if (curve.reference !== null) include(tell(curve.reference));
    }
    if (!(least <= most)) { least = 0; most = 1; }
    if (most - least < 1e-12 * Math.max(Math.abs(least), Math.abs(most), 1e-300)) { const room = Math.abs(least) * 0.1 || 1; least -= room; most += room; }
    const room = 0.06 * (most - least), y0 = least - room, y1 = most + room;
    const px = (t) => left + (t - begin) / span * wide, py = (v) => top + tall * (1 - (v - y0) / (y1 - y0));
    c.fillStyle = colors.view;
    c.fillRect(0, 0, w, h);
    c.font = '11px Cantarell, sans-serif';
    c.fillStyle = colors.dim;
    c.strokeStyle = colors.grid;
    c.lineWidth = 1;
    c.setLineDash([]);
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    for (const v of ticks(y0, y1, 4)) {
      c.beginPath();
      c.moveTo(left, Math.round(py(v)) + 0.5);
      c.lineTo(w - right, Math.round(py(v)) + 0.5);
      c.stroke();
      c.fillText(p.log ? (Number.isInteger(v) ? '10^' + v : short(10 ** v)) : short(Math.abs(v) < 1e-12 * (y1 - y0) ? 0 : v), left - 6, py(v));
    }
    c.textAlign = 'center';
    c.textBaseline = 'top';
    const named = ticks(begin, end, Math.max(2, wide / 110));
    for (const t of named) {
      c.beginPath();
      c.moveTo(Math.round(px(t)) + 0.5, top);
      c.lineTo(Math.round(px(t)) + 0.5, h - bottom);
      c.stroke();
      if (px(t) < w - right - 80) c.fillText(short(t), px(t), h - bottom + 5);
    }
    c.textAlign = 'right';
    c.fillText(meta.axis, w - right, h - bottom + 5);
    c.save();
    c.beginPath();
    c.rect(left, top, wide, tall);
    c.clip();
    c.lineJoin = 'round';
    p.curves.forEach((curve, i) => {
      const look = colors.looks[i % colors.looks.length];
      for (const motion of [beside, shown]) {
        const values = motion && motion.of(curve);
        if (!values) continue;
        c.strokeStyle = motion === shown ? look.color : faded(look.color, 0.4);
        c.lineWidth = motion === shown ? 1.6 : 3.5;
        c.setLineDash(look.dash);
        c.beginPath();
        let pen = false;
        for (const k of reduce(motion, values, wide)) {
          const v = tell(values[k]);
          if (!Number.isFinite(v)) { pen = false; continue; }
          if (pen) c.lineTo(px(motion.times[k]), py(v));
          else c.moveTo(px(motion.times[k]), py(v));
          pen = true;
        }
        c.stroke();
      }
      c.strokeStyle = look.color;
      if (curve.reference !== null) {
        c.setLineDash([3, 4]);
        c.lineWidth = 1;
        c.beginPath();
        c.moveTo(left, py(tell(curve.reference)));
        c.lineTo(w - right, py(tell(curve.reference)));
        c.stroke();
      }
      p.swatches[i].style.borderTopColor = look.color;
      p.swatches[i].style.borderTopStyle = look.dash.length ? 'dashed' : 'solid';
    });
    c.restore();
    p.px = px;
    p.cursor.style.top = top + 'px';
    p.cursor.style.height = tall + 'px';
    p.width = w;
  }

  function follow(p) {
    p.cursor.style.left = p.px(times[frame]) / p.width * 100 + '%'; // of whatever width paper gives it
    p.curves.forEach((curve, i) => {
      const values = shown.of(curve), value = values ? values[frame] : NaN;
      p.values[i].textContent = short(Math.abs(value) < curve.step / 2 ? 0 : value);
    });
  }

  const title = (c) => (c.group === 'Scenario' ? c.label : c.name + (c.unit ? ' [' + c.unit + ']' : ''));

  async function addPlot(names, log) {
    const channels = names.map((name) => meta.channels.find((c) => c.name === name)).filter(Boolean);
    if (!channels.length) return;
    await Promise.all(channels.map(channelValues));
    const figure = document.createElement('figure'), caption = document.createElement('figcaption');
    const p = {names, log: !!log, curves: channels, figure, swatches: [], values: [], canvas: document.createElement('canvas'), cursor: document.createElement('div')};
    for (const channel of channels) {
      const item = document.createElement('span'), swatch = document.createElement('i'), value = document.createElement('b');
      item.append(swatch, title(channel) + ' = ', value);
      p.swatches.push(swatch);
      p.values.push(value);
      caption.append(item);
    }
    const close = document.createElement('button');
    close.type = 'button';
    close.className = 'close';
    close.textContent = '×';
    close.title = 'Remove this plot';
    close.setAttribute('aria-label', 'Remove the plot of ' + channels.map(title).join(', '));
    close.onclick = () => { removePlot(p); };
    p.canvas.setAttribute('role', 'img');
    p.canvas.setAttribute('aria-label', channels.map(title).join(', ') + ' over ' + meta.axis);
    p.cursor.className = 'cursor';
    const sheet = document.createElement('div');
    sheet.className = 'sheet';
    sheet.append(p.canvas, p.cursor);
    figure.append(caption, sheet, close);
    $('plots').append(figure);
    const scrub = (event) => {
      const box = p.canvas.getBoundingClientRect();
      pause();
      show(frameAt(begin + (event.clientX - box.left - left) / Math.max(1, box.width - left - right) * (end - begin)));
    };
    p.canvas.onpointerdown = (event) => { p.canvas.setPointerCapture(event.pointerId); scrub(event); };
    p.canvas.onpointermove = (event) => { if (event.buttons & 1) scrub(event); };
    plots.push(p);
    drawPlot(p);
    if (frame >= 0) follow(p);
  }

  function removePlot(p) {
    plots.splice(plots.indexOf(p), 1);
    p.figure.remove();
    for (const box of $('list').querySelectorAll('input')) box.checked = plots.some((q) => q.names.includes(box.value));
  }

  function fillChooser() {
    let group = null;
    for (const c of meta.channels) {
      if (c.group !== group) {
        const head = document.createElement('h3');
        head.textContent = group = c.group;
        $('list').append(head);
      }
      const label = document.createElement('label'), box = document.createElement('input');
      box.type = 'checkbox';
      box.value = c.name;
      box.checked = plots.some((p) => p.names.includes(c.name));
      box.onchange = () => {
        const p = plots.find((q) => q.names.includes(c.name));
        if (box.checked) addPlot([c.name], false);
        else if (p) removePlot(p);
      };
      label.append(box, title(c));
      label.title = c.label;
      $('list').append(label);
    }
    $('search').oninput = () => {
      const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const label of $('list').querySelectorAll('label'))
        label.hidden = !words.every((word) => (label.textContent + ' ' + label.title).toLowerCase().includes(word));
      for (const label of $('list').querySelectorAll('label')) label.style.display = label.hidden ? 'none' : '';
    };
    if (!meta.channels.length) $('chooser').hidden = true;
  }

  // ---- time --------------------------------------------------------------------------------------------------------

  // The last frame up to a time: at a jump the state after it.
  function frameAt(t, {n, times} = shown) {
    let lo = 0, hi = n;
    while (hi - lo > 1) {
      const middle = (lo + hi) >> 1;
      if (times[middle] <= t) lo = middle;
      else hi = middle;
    }
    return lo;
  }

  const slider = $('time');
  function show(k) {
    k = Math.max(0, Math.min(n - 1, k));
    if (k === frame) return;
    frame = k;
    now = times[k];
    const said = meta.letter + ' = ' + times[k].toFixed(4) + ' s, frame ' + (k + 1) + ' of ' + n;
    slider.value = String(Math.round((times[k] - begin) / (end - begin || 1) * 1e6));
    slider.setAttribute('aria-valuetext', said);
    $('now').textContent = said;
    draw();
    for (const p of plots) follow(p);
  }

  let playing = false, last = 0;
  function pause() {
    playing = false;
    $('play').textContent = 'Play';
  }
  function tick(stamp) {
    if (!playing) return;
    const t = Math.min(end, now + Math.max(0, stamp - last) / 1000 * Number($('speed').value));
    last = stamp;
    show(frameAt(t));
    now = t;
    if (t >= end) pause();
    else requestAnimationFrame(tick);
  }
  function play() {
    if (frame === n - 1) show(0);
    playing = true;
    $('play').textContent = 'Pause';
    requestAnimationFrame((stamp) => { last = stamp; tick(stamp); });
  }
  const toggle = () => (playing ? pause() : play());
  const step = (by) => { pause(); show(frame + by); };

  function drawTicks() {
    const target = $('ticks'), c = target.getContext('2d');
    fit(target);
    c.clearRect(0, 0, target.clientWidth, target.clientHeight);
    c.fillStyle = colors.link;
    for (const [t] of shown.events) c.fillRect(8 + (t - begin) / (end - begin || 1) * (target.clientWidth - 16) - 0.75, 1, 1.5, 10);
  }
  function toEvent(direction) {
    const other = shown.events.map((e) => e[0]).filter((t) => (direction > 0 ? t > times[frame] + 1e-9 : t < times[frame] - 1e-9));
    if (!other.length) return;
    pause();
    show(frameAt((direction > 0 ? Math.min(...other) : Math.max(...other)) + 1e-9));
  }

  const speeds = [1 / 256, 1 / 128, 1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16];
  const usual = speeds.reduce((best, s) => (s <= meta.speed * 1.001 ? s : best), speeds[0]);
  for (const s of speeds) {
    const option = document.createElement('option');
    option.value = String(s);
    option.textContent = s < 1 ? '1/' + 1 / s + '×' : s + '×';
    option.selected = s === usual;
    $('speed').append(option);
  }
  $('play').onclick = toggle;
  $('back').onclick = () => step(-1);
  $('forth').onclick = () => step(1);
  slider.oninput = () => { pause(); show(frameAt(begin + Number(slider.value) / 1e6 * (end - begin))); };
  $('traces').onchange = $('arrows').onchange = () => draw();
  $('whole').onclick = () => { wholeMotion(); draw(); };
  document.addEventListener('keydown', (event) => {
    const at = event.target, typing = at.id === 'search' || at.type === 'number' || at.tagName === 'SELECT' || (at.type === 'range' && at.id !== 'time');
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === ' ' && (at.tagName === 'BUTTON' || at.tagName === 'SUMMARY' || at.type === 'checkbox')) return;
    const many = event.shiftKey ? 10 : 1;
    const actions = {' ': toggle, ArrowLeft: () => step(-many), ArrowRight: () => step(many), Home: () => step(-n), End: () => step(n),
      PageUp: () => toEvent(-1), PageDown: () => toEvent(1), 0: $('whole').onclick};
    if (!Object.hasOwn(actions, event.key) || (at.id !== 'time' && /^Page|Home|End/.test(event.key) && !shown.events.length)) return;
    event.preventDefault();
    actions[event.key]();
  });

  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.shiftKey && document.activeElement !== canvas && !canvas.matches(':hover')) return;
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * 0.0015), x = event.offsetX, y = event.offsetY;
    camera.ox = x + (camera.ox - x) * factor;
    camera.oy = y + (camera.oy - y) * factor;
    camera.scale *= factor;
    camera.own = true;
    paths = null;
    draw();
  }, {passive: false});
  canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = (event) => {
    if (!(event.buttons & 1)) return;
    camera.ox += event.movementX;
    camera.oy += event.movementY;
    camera.own = true;
    paths = null;
    draw();
  };

  // ---- words -------------------------------------------------------------------------------------------------------

  function fillTable(id, rows) {
    for (const row of rows) {
      const line = document.createElement('tr');
      for (const cell of row) {
        const item = document.createElement('td');
        item.textContent = cell;
        line.append(item);
      }
      $(id).append(line);
    }
    const part = $(id + '-part');
    if (part) part.hidden = !rows.length;
  }
  $('subtitle').textContent = meta.label;
  canvas.setAttribute('aria-label', 'Motion of ' + meta.title + ' by ' + meta.label);
  fillTable('metrics', meta.metrics);
  fillTable('about', meta.about.map((row) => row.slice(0, 2)));
  function listEvents() {
    $('events').replaceChildren(...shown.events.map(([t, kind, words]) => {
      const item = document.createElement('li'), button = document.createElement('button');
      button.type = 'button';
      button.textContent = words;
      button.title = kind;
      button.onclick = () => { pause(); show(frameAt(t + 1e-9)); };
      item.append(button);
      return item;
    }));
    $('events-part').hidden = !shown.events.length;
  }
  listEvents();
  for (const sentence of meta.notes) {
    const line = document.createElement('p');
    line.textContent = sentence;
    $('notes').append(line);
  }

  function redraw() {
    choosePalette();
    draw();
    drawTicks();
    for (const p of plots) { drawPlot(p); follow(p); }
  }
  // Shows another motion, at the time at which the last one was, with a faint one beside it (null: none).
  function use(motion, faint) {
    const t = now;
    shown = motion;
    beside = faint;
    ({n, times, marks, layers} = shown);
    begin = Math.min(times[0], beside ? beside.times[0] : Infinity);
    end = Math.max(times[n - 1], beside ? beside.times[beside.n - 1] : -Infinity);
    frame = -1;
    paths = null;
    show(frameAt(t));
    listEvents();
    redraw();
  }
  show(0);
  for (const p of meta.plots) await addPlot(p.names, p.log);
  fillChooser();
  drawTicks();
  dark.addEventListener('change', redraw);
  window.addEventListener('resize', redraw);
  window.addEventListener('beforeprint', () => { printing = true; redraw(); });
  window.addEventListener('afterprint', () => { printing = false; redraw(); });

  // For tests: what the page has, and how fast it scrubs.
  window.stickslip = {
    meta, data, stored, use, byLayer, inflate, short, pause,
    get frames() { return n; },
    get times() { return times; }, channels: meta.channels.map((c) => c.name), show,
    frame: () => frame,
    mark: (name, k) => {
      const i = meta.marks.findIndex((m) => m.name === name && m.role === 'body');
      pose(k);
      const {x, y, angle} = marks[i];
      pose(frame);
      return [x, y, angle];
    },
    values: async (name) => Array.from(await channelValues(meta.channels.find((c) => c.name === name))),
    // Frames a second of so many jumps to anywhere, one a frame of the screen; the mean time of one, its drawing included [ms].
    scrub: (count) => new Promise((done) => {
      let i = 0, spent = 0, from = 0;
      const next = (stamp) => {
        if (i === 0) from = stamp;
        if (i === count) { done({rate: count / (stamp - from) * 1000, cost: spent / count}); return; }
        const start = performance.now();
        show(Math.floor((i * 0.6180339887498949 % 1) * n));
        spent += performance.now() - start;
        i++;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    }),
  };
  document.documentElement.dataset.ready = 'yes';
})().catch(damaged);
