import type { Client } from '../../cluster/client';

/** Events of one process about identity's Deployment, repeated ones counted, as client-go's recorder writes them. */
export interface EventRecorder {
  record(type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>;
}

const NAME = 'linkerd-identity';

/** A recorder of its own for each replica: the same words of two replicas are two Events. */
export function eventRecorder(client: Client, namespace: string): EventRecorder {
  const written = new Map<string, { name: string; count: number }>();
  return {
    record: async (type, reason, message) => {
      const key = `${type}/${reason}/${message}`;
      const now = new Date().toISOString().replace(/\.\d+Z/, 'Z');
      const before = written.get(key);
      if (before !== undefined) {
        before.count += 1;
        const patch = { count: before.count, lastTimestamp: now };
        await client.patch({ apiVersion: 'v1', kind: 'Event', metadata: { name: before.name, namespace } }, patch);
        return;
      }
      const name = `${NAME}.${process.hrtime.bigint().toString(16)}`;
      written.set(key, { name, count: 1 });
      await client.create({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: NAME },
        type,
        reason,
        message,
        source: { component: NAME },
        reportingComponent: NAME,
        reportingInstance: '',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      });
    },
  };
}
