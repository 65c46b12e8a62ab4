import { checkAddress } from '../../lib/kubernetes/addresses';

describe('checkAddress', () => {
  test.each(['grafana.grafana', 'grafana.grafana.svc.cluster.local:3000', '10.0.0.1:80'])('takes %s', (address) =>
    expect(checkAddress('url', address)).toEqual([]),
  );

  test.each(['http://grafana', 'grafana/path', 'grafana:port', 'a:1:2', 'a b', ''])('refuses %j', (address) =>
    expect(checkAddress('url', address)).toEqual([expect.objectContaining({ what: `url is "${address}"` })]),
  );

  test('proposes the address without scheme and path', () => {
    expect(checkAddress('url', 'https://grafana.grafana:3000/x')[0]?.fix).toContain('"grafana.grafana:3000"');
    expect(checkAddress('url', 'https://me:word@grafana.grafana:3000/x')[0]?.fix).toContain('"grafana.grafana:3000"');
  });

  test('refuses impossible hosts and ports', () => {
    expect(checkAddress('url', 'Grafana_1:70000').map(({ what }) => what)).toEqual([
      expect.stringContaining('The host of url is "Grafana_1"'),
      'The port of url is 70000',
    ]);
  });
});
