import { prometheusArguments } from '#lib/linkerd/charts/linkerd-viz/prometheus/prometheus';
import { viewOf } from '../fixture';

const args = (prometheus: Parameters<typeof viewOf>[0]) => prometheusArguments(viewOf({ prometheus }));

test('options are sorted, after what Prometheus logs', () => {
  expect(args({ args: { 'web.enable-lifecycle': true, 'a.b': 0 } })).toEqual([
    '--log.level=info',
    '--log.format=logfmt',
    '--a.b',
    '--config.file=/etc/prometheus/prometheus.yml',
    '--storage.tsdb.path=/data',
    '--storage.tsdb.retention.time=6h',
    '--web.enable-lifecycle=true',
  ]);
});

test('options may say themselves what is logged', () => {
  const given = args({ args: { 'log.level': 'debug', 'log.format': 'json' }, logLevel: 'error', logFormat: 'plain' });
  expect(given.filter((argument) => argument.startsWith('--log'))).toEqual(['--log.format=json', '--log.level=debug']);
});

test('great numbers are not written with an exponent', () => {
  expect(args({ args: { 'query.max-samples': 50_000_000 } })).toContain('--query.max-samples=50000000');
});

test('an option that is null is gone', () => {
  expect(args({ args: { 'storage.tsdb.retention.time': null } })).not.toContain('--storage.tsdb.retention.time');
});
