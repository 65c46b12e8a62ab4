import { Counter, Registry } from 'prom-client';
import { createMetricsServer } from '#controller-runtime/server/metrics-server';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

test('the metrics server answers in the format of Prometheus', async () => {
  const registry = new Registry();
  new Counter({ name: 'things_total', help: 'Things.', registers: [registry] }).inc(3);
  const server = createMetricsServer({ port: 0, registry, log: memoryLog().log });
  try {
    const answer = await fetch(`http://127.0.0.1:${await server.start()}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toBe('# HELP things_total Things.\n# TYPE things_total counter\nthings_total 3\n');
  } finally {
    await server.stop();
  }
});
