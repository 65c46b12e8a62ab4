import { spawnSync } from 'node:child_process';
import { bridgeConfigMap, bridgeOption, readBridge, signingGuide } from '../lib/cli/bridge-request';
import { printableText } from '../lib/kubernetes/findings/printable-text';
import { describeProblem } from '../lib/kubernetes/findings/problem';
import type { BridgeRequest, TrustAnchorStatus } from '../operator/api/trust-anchor';
import { writeOutFile } from './out-file';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `anchor request`. */
export interface AnchorRequestOptions {
  readonly context?: string;
  readonly name: string;
}

/** Prints the request for a bridge that a TrustAnchor waits for, and how to sign it. */
export function anchorRequest({ context, name }: AnchorRequestOptions, { stdout, stderr }: Terminal): number {
  const { bridge, phase } = statusOf(name, context);
  if (bridge === undefined) {
    const is = phase === undefined ? '' : `, which is ${phase}`;
    stderr.write(printableText(`error: TrustAnchor ${name}${is}, waits for no signature\n`));
    return EXIT.refused;
  }
  stdout.write(bridge.request);
  stderr.write(printableText(signingGuide(bridge, new Date())));
  return EXIT.done;
}

/** Milliseconds for an API server that does not answer. */
const TIMEOUT_MS = 30_000;

function statusOf(name: string, context: string | undefined): Pick<TrustAnchorStatus, 'bridge' | 'phase'> {
  const args = ['get', 'trustanchors.config.linkerd.io', '--output=json', '--request-timeout=20s'];
  const of = context === undefined ? [] : [`--context=${context}`];
  const { status, stdout, stderr, error } = spawnSync('kubectl', [...args, ...of, '--', name], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: process.env,
  });
  if (error !== undefined) throw new Misuse(`kubectl cannot be run: ${error.message}`);
  if (status !== 0) throw new Misuse(printableText(stderr.trim()));
  const { status: told = {} }: { readonly status?: TrustAnchorStatus } = JSON.parse(stdout);
  return { ...told, ...(told.bridge !== undefined && { bridge: checked(told.bridge) }) };
}

/** Whoever may write the status could show anything: only a request is passed on. */
function checked(bridge: BridgeRequest): BridgeRequest {
  const [request] =
    /-----BEGIN CERTIFICATE REQUEST-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE REQUEST-----/.exec(bridge.request) ?? [];
  if (request === undefined) throw new Misuse('the status of the TrustAnchor shows no certificate signing request');
  return { ...bridge, request: `${request}\n` };
}

/** The options of `anchor answer`. */
export interface AnchorAnswerOptions {
  readonly namespace: string;
  readonly option?: boolean;
  readonly out?: string;
}

/** Prints what gives a signed bridge back: a ConfigMap, or an option for the program. */
export function anchorAnswer(
  file: string,
  { namespace, option, out }: AnchorAnswerOptions,
  { stdout, stderr, readFile }: Terminal,
): number {
  const read = readBridge(file, textOf(file, readFile));
  if ('problem' in read) {
    stderr.write(`error: ${describeProblem(read.problem)} [${read.problem.code}]\n`);
    return EXIT.refused;
  }
  const text = option ? bridgeOption(read.pem) : bridgeConfigMap(read.pem, namespace);
  if (out === undefined) stdout.write(text);
  else writeOutFile(out, text);
  return EXIT.done;
}

function textOf(file: string, readFile: Terminal['readFile']): string {
  try {
    return readFile(file);
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
