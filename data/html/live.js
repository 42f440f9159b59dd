// data/html/live.js: a page that computes. The engine (app/live/live.c as WebAssembly) runs in a worker of the page's own; what it finds is
// shown by run.js beside the stored run. Nothing is fetched.
'use strict';
(async () => {
  while (!document.documentElement.dataset.ready) await new Promise((done) => setTimeout(done, 20)); // run.js plays first
  const $ = (id) => document.getElementById(id);
  const make = (name, about = {}, ...children) => {
    const node = Object.assign(document.createElement(name), about);
    node.append(...children);
    return node;
  };

  // ---- the engine, in a worker -------------------------------------------------------------------------------------

  // Its whole source: it gets the compiled engine once, then jobs, each answered by its text and its numbers.
  function workerSource() {
    let engine = null;
    const bytes = () => new Uint8Array(engine.memory.buffer), view = () => new DataView(engine.memory.buffer);
    // What the engine asks of a system: a clock; there are no files.
    const system = new Proxy({
      clock_time_get: (id, precision, at) => { view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
      environ_sizes_get: (count, size) => { view().setUint32(count, 0, true); view().setUint32(size, 0, true); return 0; },
      environ_get: () => 0,
      proc_exit: (code) => { throw new Error('the engine ended with ' + code); },
    }, {get: (own, name) => own[name] || (() => 8)});
    self.onmessage = async ({data}) => {
      try {
        if (data.module) {
          engine = (await WebAssembly.instantiate(data.module, {wasi_snapshot_preview1: system})).exports;
          engine._initialize();
          return;
        }
        const text = new TextEncoder().encode(JSON.stringify(data.job)), room = engine.live_room(text.length), from = performance.now();
        bytes().set(text, room);
        engine.live_run(text.length);
        const at = engine.live_text(), all = bytes(), end = all.indexOf(0, at);
        const told = JSON.parse(new TextDecoder().decode(all.slice(at, end)));
        const numbers = told.frames ? new Float64Array(engine.memory.buffer.slice(engine.live_numbers(), engine.live_numbers() + 8 * told.frames * told.width)) : null;
        self.postMessage({number: data.number, told, numbers, seconds: (performance.now() - from) / 1000}, numbers ? [numbers.buffer] : []);
      } catch (error) {
        self.postMessage({number: data.number, told: {problems: [String(error.message || error)]}, numbers: null, seconds: 0});
      }
    };
  }

  let module = null, worker = null, busySince = 0, next = null, count = 0;
  const waiting = new Map();
  function begin() {
    worker = new Worker(URL.createObjectURL(new Blob(['(' + workerSource + ')()'], {type: 'text/javascript'})));
    worker.postMessage({module});
    worker.onmessage = ({data}) => {
      busySince = 0;
      const done = waiting.get(data.number);
      waiting.delete(data.number);
      if (done) done(data);
      if (next) { const [job, then] = next; next = null; send(job, then); }
    };
  }
  const PATIENCE = 300; // an older run that takes longer than this is dropped for a newer one [ms]
  function send(job, then) {
    if (busySince && performance.now() - busySince > PATIENCE) {
      worker.terminate();
      waiting.clear();
      busySince = 0;
      begin();
    }
    if (busySince) { next = [job, then]; return; }
    busySince = performance.now();
    waiting.set(++count, then);
    worker.postMessage({number: count, job});
  }

  // ---- its answer as a motion of run.js ----------------------------------------------------------------------------

  function motionOf(told, numbers) {
    const n = told.frames, width = told.width, columns = new Map();
    const column = (i) => {
      if (!columns.has(i)) {
        const out = new Float64Array(n);
        for (let k = 0; k < n; k++) out[k] = numbers[k * width + i];
        columns.set(i, out);
      }
      return columns.get(i);
    };
    const at = new Map(told.channels.map((c, i) => [c.name, i]));
    const valuesOf = (c) => {
      if (at.has(c.name)) return column(at.get(c.name));
      if (!c.sum || !c.sum.every((name) => at.has(name))) return undefined;
      if (!columns.has(c.name)) columns.set(c.name, column(at.get(c.sum[0])).map((value, k) => c.sum.slice(1).reduce((all, name) => all + column(at.get(name))[k], value)));
      return columns.get(c.name);
    };
    const names = ['visible', 'x', 'y', 'angle', 'radius', 'vx', 'vy', 'value'];
    let place = told.channels.length;
    const marks = told.marks.map((m) => {
      const out = {...m, layer: layers[m.kind + ' ' + m.role] || 0, own: [], vertices: new Array(2 * m.vertices).fill(0), moving: []};
      for (const name of names) out.own.push([name, column(place++)]);
      for (let v = 0; v < 2 * m.vertices; v++) out.moving.push([v, column(place++)]);
      return out;
    });
    return {n, times: column(0), marks, layers: page.byLayer(marks), events: told.events.map(([t, kind, subject]) => [t, kind, page.short(t) + ' s: ' + kind + ', ' + subject]),
      of: valuesOf};
  }

  // How far bodies are from the stored run at times that both have [m], as exactly as the page tells that.
  function farthest(motion) {
    let worst = 0, k = 0;
    const stored = page.stored, bodies = motion.marks.filter((m) => m.role === 'body'), value = (m, name, i) => {
      const own = m.own.find((o) => o[0] === name);
      return own ? own[1][i] : m[name];
    };
    for (let i = 0; i < stored.n; i++) {
      while (k < motion.n - 1 && motion.times[k + 1] <= stored.times[i] + 1e-9) k++;
      if (Math.abs(motion.times[k] - stored.times[i]) > 1e-9) continue;
      for (const m of bodies) {
        const other = stored.marks.find((o) => o.name === m.name && o.role === 'body' && o.kind === m.kind);
        if (other) worst = Math.max(worst, Math.hypot(value(m, 'x', k) - value(other, 'x', i), value(m, 'y', k) - value(other, 'y', i)));
      }
    }
    return worst;
  }

  // ---- what the reader changes -------------------------------------------------------------------------------------

  const page = window.stickslip, live = page.meta.live, layers = live.layers;
  let own = live.job, job = {...own, numbers: {}}; // of the run on show as it is stored, and as it is now
  let base = page.stored; // its motion as stored, which lies faint beside others
  // Of a study: {words, texts, bodies, axes, metrics, outcomes, items, places, first} (app/study/ssapp-study-page.c).
  const study = live.study ? JSON.parse(new TextDecoder().decode(await page.inflate(page.data.subarray(live.study.at, live.study.at + live.study.length)))) : null;
  let item = null; // of the study, on show
  const rows = []; // of numbers: {name, value, field, slider}
  const status = make('p', {id: 'live-status', role: 'status'}, 'The engine starts…');
  const faint = make('input', {type: 'checkbox', checked: true, id: 'live-beside'});
  const method = make('select', {id: 'live-method', title: 'Integrator'});
  let last = null; // the last motion that was computed

  const isChanged = () => job.method !== own.method || job.dt !== own.dt || job.t_end !== own.t_end || JSON.stringify(job.numbers) !== JSON.stringify(own.numbers || {});
  function put() {
    if (last) page.use(last, faint.checked ? base : null);
  }

  const withUnit = (value, unit) => page.short(value) + (unit ? ' ' + unit : '');
  // Metrics of a study's run, here beside stored; the figure's first.
  function tellMetrics(told) {
    const here = new Map(told.metrics.map((m) => [m.name, m.value]));
    const rows = study.metrics.map((m, i) => [m, item.values[i], here.get(m.name)]);
    $('metrics').replaceChildren(...rows.map(([m, stored, value]) => make('tr', {}, ...[m.label + (m.unit ? ' [' + m.unit + ']' : ''),
      item.values.length ? page.short(stored) : 'not run', '', value === undefined ? '' : 'here ' + page.short(value)].map((text) => make('td', {}, text)))));
    $('metrics-part').hidden = false;
    const [m, stored, value] = rows[0];
    $('study').dataset.value = value === undefined ? '' : String(value);
    if (value === undefined) return m.label + ': stored ' + withUnit(stored, m.unit) + '; it is not computed in pages.';
    return m.label + ': ' + withUnit(value, m.unit) + (isChanged() || !item.values.length ? ' computed here.' : ' here, ' + withUnit(stored, m.unit) + ' stored.');
  }

  // How far bodies are from the stored run of the study at the times that the page has of it [m]; NaN: it has none.
  function farthestSample(motion) {
    let worst = NaN, k = 0;
    const bodies = study.bodies.map((name) => motion.marks.find((m) => m.role === 'body' && m.name === name));
    const value = (m, name, i) => (m.own.find((o) => o[0] === name) || [0, [m[name]]])[1][i];
    for (const [t, ...places] of item.samples || []) {
      while (k < motion.n - 1 && motion.times[k + 1] <= t + 1e-9) k++;
      if (Math.abs(motion.times[k] - t) > 1e-9) continue;
      bodies.forEach((m, b) => {
        if (m) worst = Math.max(Number.isNaN(worst) ? 0 : worst, Math.hypot(value(m, 'x', k) - places[2 * b], value(m, 'y', k) - places[2 * b + 1]));
      });
    }
    return worst;
  }

  const NOT_EQUAL = 'Not equal to what this engine found on the machine that made the page: the page was changed since, or this browser computes otherwise.';
  function tellItem(told, motion) {
    const words = [];
    if (item.outcome && item.outcome !== told.outcome) words.push('Stored outcome: ' + item.outcome + '.');
    if (!item.outcome) words.push('This run of the study was not made yet.');
    if (item.stored && told.sha256 === item.stored) words.push('Equal to the stored run, to the last bit of all ' + told.rows + ' rows.');
    else {
      if (item.sha256) words.push(told.sha256 === item.sha256
        ? 'Equal, to the last bit of all ' + told.rows + ' rows, to what this engine found with the same mathematical library on the machine that made the page.'
        : NOT_EQUAL);
      const far = farthestSample(motion);
      if (item.outcome) words.push(Number.isNaN(far) ? 'The page has no places of the stored run.'
        : 'The stored run was computed with another mathematical library; at ' + item.samples.length + ' times a body is at most ' + far.toExponential(1) + ' m from it.');
    }
    return words.join(' ');
  }

  function tellEqual(told, motion) {
    if (study) return tellItem(told, motion);
    const words = [];
    if (told.sha256 === live.stored) words.push('Equal to the stored run, to the last bit of all ' + told.rows + ' rows.');
    else {
      words.push(told.sha256 === live.sha256
        ? 'Equal, to the last bit of all ' + told.rows + ' rows, to what this engine finds with the same mathematical library on the machine that made the page.'
        : NOT_EQUAL);
      words.push('The stored run was computed with another mathematical library; the farthest that a body is from it is ' + page.short(farthest(motion)) + ' m, as exactly as the page tells places.');
    }
    return words.join(' ');
  }

  function showMetrics(told) {
    const here = new Map((told.metrics || []).map((m) => [m.label + (m.unit ? ' [' + m.unit + ']' : ''), m.value]));
    for (const row of $('metrics').rows) {
      const cell = row.cells[3] || row.insertCell(3), value = here.get(row.cells[0].textContent);
      cell.textContent = value === undefined ? '' : 'here ' + page.short(value);
    }
  }

  function take({told, numbers, seconds}) {
    if (told.numbers && !rows.length) fill(told);
    $('live').dataset.count = String(Number($('live').dataset.count || 0) + 1);
    if (told.problems) {
      status.textContent = 'It cannot be computed: ' + told.problems.join('; ');
      return;
    }
    if (!numbers) {
      status.textContent = told.outcome + ': ' + told.message;
      return;
    }
    last = motionOf(told, numbers);
    status.textContent = told.outcome + ': ' + told.message + '. Computed here in ' + page.short(seconds) + ' s. '
      + (study ? tellMetrics(told) + ' ' : '')
      + (isChanged() ? 'The stored run lies faint beside it.' : tellEqual(told, last));
    $('live').dataset.sha256 = told.sha256;
    $('live').dataset.seconds = seconds;
    if (study && !isChanged()) base = last;
    put();
    if (!study) showMetrics(told);
  }
  function run() {
    if (study) ring();
    send({...job, options: job.method === own.method ? own.options : {}, ...(study ? {outcomes: study.outcomes} : {}), list: !rows.length}, take);
  }

  function range(row) {
    const v = row.value, field = row.name.split('.').pop(), size = Math.abs(v) || 1, axis = axisOf(row.name);
    let low = v - size, high = v + size;
    if (axis && axis.values.length > 1) return [Math.min(...axis.values), Math.max(...axis.values)];
    if (field === 'friction' || field === 'restitution') { low = 0; high = Math.max(1, 2 * v); }
    if (field === 'mass' || field === 'dt' || field === 't_end') { low = v / 5; high = 3 * v; }
    if (row.lower !== null) low = Math.max(low, row.lower);
    if (row.upper !== null) high = Math.min(high, row.upper);
    return [low, high];
  }

  // A line with a name, a field for any value, and a slider.
  function addRow(to, row, change) {
    const [low, high] = range(row), id = 'live-' + row.name;
    row.field = make('input', {type: 'number', id, step: 'any', value: String(row.value)});
    row.slider = make('input', {type: 'range', min: String(low), max: String(high), step: 'any', value: String(row.value)});
    row.slider.setAttribute('aria-label', row.name);
    const set = (value) => { change(value); run(); };
    row.field.onchange = () => {
      if (Number.isFinite(row.field.valueAsNumber)) { row.slider.value = row.field.value; set(row.field.valueAsNumber); }
      else status.textContent = 'It cannot be computed: ' + (row.title || row.name) + ': a number is expected.';
    };
    row.slider.oninput = () => { const value = Number(row.slider.valueAsNumber.toPrecision(4)); row.field.value = String(value); set(value); };
    row.reset = () => { row.field.value = row.slider.value = String(row.value); };
    to.append(make('tr', {}, make('td', {}, make('label', {htmlFor: id}, row.title || row.name)), make('td', {}, row.field), make('td', {}, row.slider)));
    rows.push(row);
  }

  const axisOf = (name) => (study ? study.axes.find((a) => a.name === name) : undefined);
  function fill(told) {
    const groups = new Map([['', []]]);
    if (study) told.numbers.sort((a, b) => !axisOf(a.name) - !axisOf(b.name)); // what varies in the study first
    for (const row of told.numbers) {
      const isStart = /\.(x|y|theta|vx|vy|omega)$/.test(row.name) && !row.name.startsWith('gravity.') && !axisOf(row.name);
      const group = isStart ? 'Start of ' + row.name.replace(/\.[^.]*$/, '') : '';
      groups.set(group, [...(groups.get(group) || []), row]);
    }
    for (const [name, list] of groups) {
      const body = make('tbody'), table = make('table', {}, body);
      for (const row of list) addRow(body, row, (value) => {
        if (own.numbers && own.numbers[row.name] !== undefined || value !== row.value) job.numbers[row.name] = value;
        else delete job.numbers[row.name];
      });
      if (name === '') {
        for (const [key, title] of [['dt', 'step [s]'], ['t_end', 'end [s]']]) {
          if (own[key] === undefined && typeof told[key] === 'number') own[key] = job[key] = told[key]; // that of the scenario
          if (own[key] !== undefined) addRow(body, {name: key, title, value: own[key], lower: null, upper: null}, (value) => { job[key] = value; });
        }
        $('live-fields').append(table);
      } else if (list.length) $('live-fields').append(make('details', {}, make('summary', {}, name), table));
    }
    for (const m of told.methods) method.append(make('option', {value: m.name, textContent: m.label, selected: m.name === own.method}));
  }

  // ---- the figure of a study ---------------------------------------------------------------------------------------

  const svg = $('study').querySelector('svg');
  const mark = (name, about) => { // over the figure, in its units
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries({fill: 'none', stroke: '#e5a50a', 'stroke-width': 2, 'pointer-events': 'none', ...about})) node.setAttribute(key, value);
    svg.append(node);
    return node;
  };
  const chosen = [], around = []; // marks of the run on show, and of what is computed between the grid's values
  const REACH = 8; // of a point [pt]
  const placeMark = ([x, y, w, h]) => (w ? mark('rect', {x, y, width: w, height: h}) : mark('circle', {cx: x, cy: y, r: 5}));
  const middle = ([x, y, w, h]) => [x + w / 2, y + h / 2];

  // Where values of the job lie between the places of the runs of its method: by the two nearest of each number that varies, where the places
  // are cells or points of their own; undefined: nowhere.
  const valueOf = (one, a) => (a.name === 'dt' || a.name === 't_end' ? one[a.name] : one.numbers[a.name]);
  function between() {
    const axes = study.axes.map((a) => [a, valueOf(job, a)]);
    const jobAt = (p) => study.items[p[4][0]].job, isLike = (one) => one && one.method === job.method && JSON.stringify(one.options) === JSON.stringify(own.options);
    const known = study.places.filter((p) => p[4].length === 1 && isLike(jobAt(p)));
    const at = (p, a) => valueOf(jobAt(p), a);
    let list = known.map((p) => [p, 1]);
    for (const [a, value] of axes) {
      if (value === undefined) continue;
      const values = a.values.filter((v) => list.some(([p]) => at(p, a) === v));
      const low = Math.max(...values.filter((v) => v <= value)), high = Math.min(...values.filter((v) => v >= value));
      if (!Number.isFinite(low) || !Number.isFinite(high)) return undefined;
      const part = high > low ? (value - low) / (high - low) : 0;
      list = list.filter(([p]) => at(p, a) === low || at(p, a) === high).map(([p, w]) => [p, w * (high > low ? (at(p, a) === low ? 1 - part : part) : 1)]);
    }
    const all = list.reduce((sum, [, w]) => sum + w, 0);
    if (!(all > 0)) return undefined;
    return [0, 1].map((i) => list.reduce((sum, [p, w]) => sum + w * middle(p)[i], 0) / all);
  }
  function ring() {
    while (around.length) around.pop().remove();
    const at = isChanged() && study.isMap ? between() : undefined;
    if (at) around.push(mark('circle', {cx: at[0], cy: at[1], r: 5, fill: '#ffffff', stroke: '#e01b24'}));
  }

  const runs = study ? make('select', {id: 'study-run', title: 'Run of the study'}) : null;
  function show(index) {
    item = study.items[index];
    runs.value = String(index);
    while (chosen.length) chosen.pop().remove();
    for (const p of study.places) if (p[4].includes(index) && (!p[2] || p[4].length === 1)) chosen.push(placeMark(p));
    $('subtitle').textContent = item.label;
    $('study').dataset.item = String(index);
    rows.length = 0;
    $('live-fields').replaceChildren();
    method.replaceChildren();
    $('live-controls').hidden = !item.job;
    if (!item.job) {
      status.textContent = item.label + ': ' + (item.outcome || 'not run') + '. Pages compute simulations; this run is none. ' + tellMetrics({metrics: []});
      return;
    }
    own = {...item.job, numbers: item.job.numbers, scenario: study.texts[item.job.text]};
    delete own.text;
    job = {...own, numbers: {...own.numbers}};
    base = index === study.first ? page.stored : null;
    status.textContent = item.label + ' is computed…';
    run();
  }
  function pick(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let found = null, near = REACH;
    for (const p of study.places) {
      if (p[2]) { if (point.x >= p[0] && point.x <= p[0] + p[2] && point.y >= p[1] && point.y <= p[1] + p[3] && near === REACH) found = p; continue; }
      const far = Math.hypot(point.x - p[0], point.y - p[1]);
      if (far < near) { near = far; found = p; }
    }
    if (!found || !found[4].length) return;
    const now = found[4].indexOf(Number($('study').dataset.item)); // of many runs the next one
    show(found[4][(now + 1) % found[4].length]);
  }
  function beginStudy() {
    study.items.forEach((one, i) => runs.append(make('option', {value: String(i), textContent: one.label})));
    study.isMap = study.places.length > 0 && study.places.every((p) => p[2] && p[4].length <= 1);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', study.words);
    svg.addEventListener('click', pick);
    runs.onchange = () => show(Number(runs.value));
    $('study').prepend(make('h2', {}, study.words));
    $('study').append(make('p', {}, make('label', {}, 'Run ', runs)), make('p', {className: 'keys'},
      'A click on the figure computes its run in this browser. What varies may have any value below, between those of the study too: it is computed, not interpolated.'));
    $('study').hidden = false;
    page.study = {...study, middleOf: (index) => middle(study.places.find((p) => p[4].includes(index)))}; // for tests
    show(study.first);
  }

  async function start() {
    const text = atob($('engine').textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    $('engine').textContent = '';
    module = await WebAssembly.compile(await page.inflate(bytes));
    begin();
    if (study) beginStudy();
    else run();
  }

  $('live').append(
    make('h2', {}, 'Compute it here'), status,
    make('div', {id: 'live-controls'},
      make('label', {}, 'Integrator ', method),
      make('button', {type: 'button', id: 'live-reset', title: 'The job of the stored run', onclick: () => {
        Object.assign(job, {method: own.method, dt: own.dt, t_end: own.t_end, numbers: {...own.numbers}});
        method.value = own.method;
        for (const row of rows) row.reset();
        run();
      }}, 'As Stored'),
      make('label', {}, faint, ' Stored run beside it'),
      make('button', {type: 'button', id: 'live-off', onclick: () => { if (base) page.use(base, null); }}, 'Stored Run Alone')),
    make('div', {id: 'live-fields'}));
  page.compute = (other) => new Promise((done) => send(other, done)); // for tests: {told, numbers, seconds} of any job
  method.onchange = () => { job.method = method.value; run(); };
  faint.onchange = put;
  $('live').hidden = false;
  start().catch((error) => {
    status.textContent = typeof WebAssembly === 'undefined' ? 'This browser has no WebAssembly: it shows what is stored, and computes nothing.'
      : 'The engine in this page is damaged, or this browser cannot start it (' + error.message + '): what is shown is stored, nothing is computed.';
  });
})();
