import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromium } from '../support/chromium';

/** Chromium needs no network, and no sandbox for a page of this repository. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
  ...['--hide-scrollbars', '--remote-debugging-pipe'],
];

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

export type Scheme = 'light' | 'dark';

/** A Chromium with one page, driven by the DevTools protocol over a pipe. */
export class Browser {
  /** Errors, warnings and policy violations of the page. */
  readonly complaints: string[] = [];
  /** The addresses that the page requested. */
  readonly requests: string[] = [];
  private readonly waiting = new Map<number, Waiting>();
  private session?: string;
  private count = 0;
  private begun = '';

  private constructor(
    private readonly program: ChildProcess,
    private readonly folder: string,
  ) {
    const [, , , , output] = program.stdio as unknown as readonly Readable[];
    output?.setEncoding('utf8').on('data', (chunk: string) => this.read(chunk));
    program.on('exit', (code) => {
      for (const { reject } of this.waiting.values()) reject(new Error(`Chromium ended with ${code}`));
    });
  }

  static async start(): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), 'chromium-'));
    const { program: path, env } = await chromium();
    const program = spawn(path, [...FLAGS, `--user-data-dir=${folder}`], {
      // Key databases and font caches are in HOME, not in the profile.
      env: { ...process.env, ...env, HOME: folder },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const browser = new Browser(program, folder);
    const { targetId } = (await browser.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
    const attached = (await browser.send('Target.attachToTarget', { targetId, flatten: true })) as {
      sessionId: string;
    };
    browser.session = attached.sessionId;
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await browser.send(`${domain}.enable`);
    return browser;
  }

  /** Ends Chromium, and removes its files. */
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.program.once('exit', resolve));
    this.waiting.clear();
    this.program.kill('SIGKILL');
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  send(method: string, params: object = {}): Promise<unknown> {
    this.count += 1;
    const id = this.count;
    const [, , , input] = this.program.stdio as unknown as readonly Writable[];
    const message = { id, method, params, ...(this.session !== undefined && { sessionId: this.session }) };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      input?.write(`${JSON.stringify(message)}\0`);
    });
  }

  /** Opens a page with this width and color scheme. */
  async show(url: string, look: { readonly width?: number; readonly scheme?: Scheme } = {}): Promise<void> {
    const { width = 1280, scheme = 'light' } = look;
    await this.resize(width);
    await this.prefer(scheme);
    // Chromium does not reload a page if only the fragment of the address changes.
    await this.send('Page.navigate', { url: 'about:blank' });
    await this.until("location.href === 'about:blank' && document.readyState === 'complete'");
    await this.send('Page.navigate', { url });
    await this.until("location.href !== 'about:blank' && document.readyState === 'complete'");
  }

  /** Changes the width of the window while the page is open. */
  async resize(width: number): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
  }

  /** Changes the color scheme while the page is open. */
  async prefer(scheme: Scheme): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string }; text: string } };
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      const isSo = await this.value<boolean>(expression).catch(() => false);
      if (isSo) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The page never came so far that ${expression}`);
  }

  /** Presses a key like a user. */
  async press(key: string, code = key): Promise<void> {
    const keys: Readonly<Record<string, number>> = {
      ArrowRight: 39,
      ArrowLeft: 37,
      Tab: 9,
      Enter: 13,
      End: 35,
      Home: 36,
    };
    const event = { key, code, windowsVirtualKeyCode: keys[key] };
    await this.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  private read(chunk: string): void {
    const [first = '', ...others] = chunk.split('\0');
    this.begun += first;
    for (const other of others) {
      this.receive(JSON.parse(this.begun) as Message);
      this.begun = other;
    }
  }

  private receive({ id, method, params = {}, result, error }: Message): void {
    if (id !== undefined) {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error.message));
    }
    if (method === 'Runtime.exceptionThrown' || method === 'Runtime.consoleAPICalled' || method === 'Log.entryAdded') {
      this.complaints.push(JSON.stringify(params));
    }
    if (method === 'Network.requestWillBeSent') {
      this.requests.push((params.request as { url: string }).url);
    }
  }
}
