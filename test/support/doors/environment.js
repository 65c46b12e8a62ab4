const childProcess = require('node:child_process');
const { Console } = require('node:console');
const net = require('node:net');
const { Writable } = require('node:stream');
const { TestEnvironment } = require('jest-environment-node');
const { FORBIDDEN, suffixOf } = require('./doors.js');

// A worker that waits for its test would outlive a killed Jest, and keep its control plane running. A listener for the
// end of the channel would keep each worker alive.
if (process.connected) setInterval(() => process.connected || process.exit(1), 1_000).unref();

/**
 * The context of the first suite of a worker, which later suites reuse: modules that suites share (runtime.js) belong
 * to one context.
 * @type {{ readonly fields: object, readonly globals: ReadonlySet<string | symbol> } | undefined}
 */
let shared;

/**
 * Fails a test that starts a program which its door forbids, or that prints. Product code may catch the thrown error,
 * so the fault is also reported when the test ends.
 */
module.exports = class DoorEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} args */
  constructor(...args) {
    super(...args);
    const [{ projectConfig }] = args;
    /** @type {import('./doors.js').Door} */
    this.door = /** @type {any} */ (projectConfig.displayName).name;
    /** @type {string[]} */
    this.faults = [];
    /** @type {(() => void)[]} */
    this.restorers = [];
    this.share();
  }

  share() {
    const { context, global, moduleMocker, fakeTimers, fakeTimersModern, _globalProxy } = /** @type {any} */ (this);
    shared ??= {
      fields: { context, global, moduleMocker, fakeTimers, fakeTimersModern, _globalProxy },
      globals: new Set(Reflect.ownKeys(global)),
    };
    Object.assign(this, shared.fields);
  }

  /** @override */
  async setup() {
    await super.setup();
    this.holdToDoor();
    this.keepQuiet();
    // Commands that a test runs in this process set the exit code, which Jest would use as its own.
    const { exitCode } = process;
    this.restorers.push(() => {
      process.exitCode = exitCode;
    });
  }

  /** @override */
  async teardown() {
    for (const restore of this.restorers.reverse()) restore();
    this.moduleMocker?.restoreAllMocks();
    this.fakeTimersModern?.useRealTimers();
    for (const key of Reflect.ownKeys(this.global))
      if (!shared?.globals.has(key)) Reflect.deleteProperty(this.global, key);
  }

  /**
   * Reports faults as errors of the test in which they occurred, or of the suite after its last test.
   * @param {{ readonly name: string, readonly test?: { readonly errors: unknown[] } }} event
   * @param {{ readonly unhandledErrors: unknown[] }} state
   */
  handleTestEvent({ name, test }, { unhandledErrors }) {
    if (this.faults.length === 0 || (name !== 'test_done' && name !== 'run_finish')) return;
    const message = this.faults.splice(0).join('\n');
    // The stack is only the message, since the real one would show this file.
    (test?.errors ?? unhandledErrors).push(Object.assign(new Error(message), { stack: message }));
  }

  holdToDoor() {
    const forbidden = FORBIDDEN[this.door];
    if (forbidden === undefined) return;
    /** @param {string} program */
    const check = (program) => {
      if (forbidden.test(program)) this.refuse(`starts ${program}`);
    };
    this.before(childProcess.ChildProcess.prototype, 'spawn', ({ file }) => check(file));
    for (const name of /** @type {const} */ (['spawnSync', 'execFileSync', 'execSync'])) {
      this.before(childProcess, name, check);
    }
    if (this.door !== 'node') return;
    this.before(net.Server.prototype, 'listen', () => this.refuse('starts a server'));
    this.before(net.Socket.prototype, 'connect', () => this.refuse('opens a connection'));
  }

  /** @param {string} what */
  refuse(what) {
    const fault = `A *${suffixOf(this.door)} suite ${what}: give its name the suffix of what it needs (CONTRIBUTING.md, "Tests").`;
    this.faults.push(fault);
    throw new Error(fault);
  }

  keepQuiet() {
    /** @param {unknown} text */
    const print = (text) => {
      // execFileSync writes even the empty stderr of a program.
      if (String(text) !== '') this.faults.push(`The test prints: ${String(text).trimEnd()}`);
      return true;
    };
    const sink = new Writable({ write: (chunk, _, done) => done(void print(chunk)) });
    this.global.console = new Console(sink);
    for (const stream of [process.stdout, process.stderr]) this.replace(stream, 'write', () => print);
  }

  /**
   * Calls a function before a method.
   * @param {any} owner
   * @param {string} name
   * @param {(...args: any[]) => void} check
   */
  before(owner, name, check) {
    this.replace(owner, name, (original) => {
      /** @this {unknown} @param {any[]} args */
      return function (...args) {
        check(...args);
        return original.apply(this, args);
      };
    });
  }

  /**
   * Replaces a method until the suite ends.
   * @param {any} owner
   * @param {string} name
   * @param {(original: any) => any} make
   */
  replace(owner, name, make) {
    const original = owner[name];
    owner[name] = make(original);
    this.restorers.push(() => {
      owner[name] = original;
    });
  }
};
