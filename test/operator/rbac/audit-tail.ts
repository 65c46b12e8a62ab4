import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEvent } from '../../support/cluster/audit';

/**
 * Follows what a user does, by the audit log of a cluster: all finished requests so far, oldest first. Each call reads
 * only what is new, since the log grows long and is asked for often.
 */
export function auditTail(clusterDir: string, user: string): () => readonly AuditEvent[] {
  const events: AuditEvent[] = [];
  let position = 0;
  return () => {
    const file = openSync(join(clusterDir, 'audit.log'), 'r');
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - position));
    readSync(file, bytes, 0, bytes.length, position);
    closeSync(file);
    // The last line may be half written.
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    position += whole.length;
    for (const line of whole.toString().split('\n')) {
      if (!line.includes(user)) continue;
      const event: AuditEvent = JSON.parse(line);
      if (event.user.username === user) events.push(event);
    }
    return events;
  };
}
