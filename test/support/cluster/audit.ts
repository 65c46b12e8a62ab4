import { closeSync, existsSync, fstatSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A finished request in the API server's audit log (audit.k8s.io/v1, level Metadata). */
export interface AuditEvent {
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly apiGroup?: string;
    readonly apiVersion?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

/** The properties that an event must have. A property that is left out matches all events. */
export interface AuditFilter {
  /** Such as `system:serviceaccount:linkerd:operator`. */
  readonly user?: string;
  readonly verb?: string;
  readonly resource?: string;
  /** An empty text matches only requests without a subresource. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code?: number;
}

/** Writes the audit policy: the API server logs all finished requests except those of the control plane and kwok. */
export function writeAuditPolicy(dir: string): void {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      {
        level: 'None',
        users: [
          'system:apiserver',
          'system:kube-controller-manager',
          'system:kube-scheduler',
          'system:anonymous',
          'kwok',
        ],
      },
      { level: 'None', userGroups: ['system:serviceaccounts:kube-system'] },
      { level: 'Metadata' },
    ],
  };
  writeFileSync(join(dir, 'audit-policy.json'), JSON.stringify(policy));
}

/** The part of an audit log that was read. */
interface ReadLog {
  position: number;
  readonly lines: { readonly text: string; event?: AuditEvent }[];
}

const logs = new Map<string, ReadLog>();

/**
 * Events in the order of the log, which has two for each watch: its start and its end. The log is long, so each call
 * reads only new lines, and parses only lines that may match.
 */
export function readAuditEvents(dir: string, filter: AuditFilter): AuditEvent[] {
  const path = join(dir, 'audit.log');
  if (!existsSync(path)) return [];
  const log = logs.get(path) ?? { position: 0, lines: [] };
  logs.set(path, log);
  readOn(path, log);
  const { user = '' } = filter;
  return log.lines.flatMap((line) => {
    if (!line.text.includes(user)) return [];
    line.event ??= JSON.parse(line.text) as AuditEvent;
    return matches(line.event, filter) ? [line.event] : [];
  });
}

/** Skips the events that are in the log now, which are of earlier tests. */
export function forgetAuditEvents(dir: string): void {
  const path = join(dir, 'audit.log');
  if (existsSync(path)) logs.set(path, { position: statSync(path).size, lines: [] });
}

function readOn(path: string, log: ReadLog): void {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - log.position));
  readSync(file, bytes, 0, bytes.length, log.position);
  closeSync(file);
  // The last line may be half written.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  log.position += whole.length;
  for (const text of whole.toString().split('\n').slice(0, -1)) log.lines.push({ text });
}

function matches(event: AuditEvent, filter: AuditFilter): boolean {
  const facts: AuditFilter = {
    user: event.user.username,
    verb: event.verb,
    resource: event.objectRef?.resource,
    subresource: event.objectRef?.subresource ?? '',
    namespace: event.objectRef?.namespace,
    name: event.objectRef?.name,
    code: event.responseStatus?.code,
  };
  return Object.entries(filter).every(
    ([key, value]) => value === undefined || facts[key as keyof AuditFilter] === value,
  );
}
