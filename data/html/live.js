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
    const names = ['visible', 'x', 'y', 'angle', 'radius', 'vx', 'vy'];
    let place = told.channels.length;
    const marks = told.marks.map((m) => {
      const out = {...m, layer: layers[m.kind + ' ' + m.role] || 0, own: [], vertices: new Array(2 * m.vertices).fill(0), moving: []};
      for (const name of names) out.own.push([name, column(place++)]);
      for (let v = 0; v < 2 * m.vertices; v++) out.moving.push([v, column(place++)]);
      return out;
    });
    return {n, times: column(0), marks, layers: page.byLayer(marks), events: told.events.map(([t, kind, subject]) => [t, kind, page.short(t) + ' s: ' + kind + ', ' + subject]),
      of: (c) => (at.has(c.name) ? column(at.get(c.name)) : undefined)};
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

  const page = window.stickslip, live = page.meta.live, layers = live.layers, own = live.job;
  const job = {...own, numbers: {}};
  const rows = []; // of numbers: {name, value, field, slider}
  const status = make('p', {id: 'live-status', role: 'status'}, 'The engine starts…');
  const faint = make('input', {type: 'checkbox', checked: true, id: 'live-beside'});
  const method = make('select', {id: 'live-method', title: 'Integrator'});
  let last = null; // the last motion that was computed

  const isChanged = () => job.method !== own.method || job.dt !== own.dt || job.t_end !== own.t_end || Object.keys(job.numbers).length > 0;
  function put() {
    if (last) page.use(last, faint.checked ? page.stored : null);
  }

  function tellEqual(told, motion) {
    const words = [];
    if (told.sha256 === live.stored) words.push('Equal to the stored run, to the last bit of all ' + told.rows + ' rows.');
    else {
      words.push(told.sha256 === live.sha256
        ? 'Equal, to the last bit of all ' + told.rows + ' rows, to what this engine finds with the same mathematical library on the machine that made the page.'
        : 'Not equal to what this engine found on the machine that made the page.');
      words.push('The stored run was computed with another mathematical library; the farthest that a body is from it is ' + page.short(farthest(motion)) + ' m, as exactly as the page tells places.');
    }
    return words.join(' ');
  }

  function showMetrics(told) {
    const here = new Map((told.metrics || []).map((m) => [m.label + (m.unit ? ' [' + m.unit + ']' : ''), m.value]));
    for (const row of $('metrics').rows) {
      const cell = row.cells[3] || row.insertCell(3), value = here.get(row.cells[0].textContent);
      cell.textContent = value === undefined || /CPU|time \[s\]|set-up/i.test(row.cells[0].textContent) ? '' : 'here ' + page.short(value);
    }
  }

  function take({told, numbers, seconds}) {
    if (told.numbers && !rows.length) fill(told);
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
      + (isChanged() ? 'The stored run lies faint beside it.' : tellEqual(told, last));
    $('live').dataset.sha256 = told.sha256;
    $('live').dataset.seconds = seconds;
    $('live').dataset.count = String(Number($('live').dataset.count || 0) + 1);
    put();
    showMetrics(told);
  }
  function run() {
    send({...job, options: job.method === own.method ? own.options : {}, list: !rows.length}, take);
  }

  function range(row) {
    const v = row.value, field = row.name.split('.').pop(), size = Math.abs(v) || 1;
    let low = v - size, high = v + size;
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
    row.field.onchange = () => { if (Number.isFinite(row.field.valueAsNumber)) { row.slider.value = row.field.value; set(row.field.valueAsNumber); } };
    row.slider.oninput = () => { const value = Number(row.slider.valueAsNumber.toPrecision(4)); row.field.value = String(value); set(value); };
    row.reset = () => { row.field.value = row.slider.value = String(row.value); };
    to.append(make('tr', {}, make('td', {}, make('label', {htmlFor: id}, row.title || row.name)), make('td', {}, row.field), make('td', {}, row.slider)));
    rows.push(row);
  }

  function fill(told) {
    const groups = new Map([['', []]]);
    for (const row of told.numbers) {
      const isStart = /\.(x|y|theta|vx|vy|omega)$/.test(row.name) && !row.name.startsWith('gravity.');
      const group = isStart ? 'Start of ' + row.name.replace(/\.[^.]*$/, '') : '';
      groups.set(group, [...(groups.get(group) || []), row]);
    }
    for (const [name, list] of groups) {
      const body = make('tbody'), table = make('table', {}, body);
      for (const row of list) addRow(body, row, (value) => { if (value === row.value) delete job.numbers[row.name]; else job.numbers[row.name] = value; });
      if (name === '') {
        for (const [key, title] of [['dt', 'step [s]'], ['t_end', 'end [s]']])
          if (own[key] !== undefined) addRow(body, {name: key, title, value: own[key], lower: null, upper: null}, (value) => { job[key] = value; });
        $('live-fields').append(table);
      } else if (list.length) $('live-fields').append(make('details', {}, make('summary', {}, name), table));
    }
    for (const m of told.methods) method.append(make('option', {value: m.name, textContent: m.label, selected: m.name === own.method}));
  }

  async function start() {
    const text = atob($('engine').textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    $('engine').textContent = '';
    module = await WebAssembly.compile(await page.inflate(bytes));
    begin();
    run();
  }

  $('live').append(
    make('h2', {}, 'Compute it here'), status,
    make('div', {id: 'live-controls'},
      make('label', {}, 'Integrator ', method),
      make('button', {type: 'button', id: 'live-reset', title: 'The job of the stored run', onclick: () => {
        Object.assign(job, {method: own.method, dt: own.dt, t_end: own.t_end, numbers: {}});
        method.value = own.method;
        for (const row of rows) row.reset();
        run();
      }}, 'As Stored'),
      make('label', {}, faint, ' Stored run beside it'),
      make('button', {type: 'button', id: 'live-off', onclick: () => page.use(page.stored, null)}, 'Stored Run Alone')),
    make('div', {id: 'live-fields'}));
  page.compute = (other) => new Promise((done) => send(other, done)); // for tests: {told, numbers, seconds} of any job
  method.onchange = () => { job.method = method.value; run(); };
  faint.onchange = put;
  $('live').hidden = false;
  start().catch((error) => { status.textContent = 'This browser cannot compute: ' + error.message; });
})();
