import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One finished request, as the API server's audit log tells it (audit.k8s.io/v1, level Metadata). */
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

/** The properties with which an event must agree; what is left out does not matter. */
export interface AuditFilter {
  /** Such as `system:serviceaccount:linkerd:operator`. */
  readonly user?: string;
  readonly verb?: string;
  readonly resource?: string;
  /** An empty text: the object itself only. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly code?: number;
}

/** Tells the API server what to log: everybody's finished requests but those of the control plane to itself. */
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

/** Events in the order in which they were logged. A watch is logged when it starts and when it ends. */
export function readAuditEvents(dir: string, filter: AuditFilter): AuditEvent[] {
  const path = join(dir, 'audit.log');
  if (!existsSync(path)) return [];
  // The last line may be half written.
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line): AuditEvent => JSON.parse(line)).filter((event) => matches(event, filter));
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
