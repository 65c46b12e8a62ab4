import type { Client } from '../../cluster/client';

/** Writes a process's Events about identity's Deployment. It counts repeated Events, as client-go's recorder does. */
export interface EventRecorder {
  record(type: 'Normal' | 'Warning', reason: string, message: string): Promise<void>;
}

const NAME = 'linkerd-identity';

/** Creates a recorder for one replica. The same message of two replicas thus makes two Events. */
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
