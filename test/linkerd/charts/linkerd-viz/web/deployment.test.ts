import { chartValues, containerOf, find, renderViz } from '../fixture';

test('hosts are told apart by literal dots, whatever the namespace', () => {
  const objects = renderViz(chartValues({ clusterDomain: 'k8s.corp' }), { namespace: 'metrics' });
  expect(JSON.stringify(find(objects, 'Deployment', 'web'))).toContain(
    JSON.stringify(
      String.raw`-enforced-host=^(localhost|127\.0\.0\.1|web\.metrics\.svc\.k8s\.corp|web\.metrics\.svc|\[::1\])(:\d+)?$`,
    ).slice(1, -1),
  );
});

test('links lead where values say', () => {
  const values = { grafana: { uidPrefix: 'team' }, jaegerUrl: 'jaeger:16686' };
  expect(containerOf(values, 'web').args).toEqual(
    expect.arrayContaining(['-grafana-prefix=team', '-jaeger-addr=jaeger:16686']),
  );
  expect(containerOf({}, 'web').args?.some((argument) => /grafana|jaeger/.test(argument))).toBe(false);
});
