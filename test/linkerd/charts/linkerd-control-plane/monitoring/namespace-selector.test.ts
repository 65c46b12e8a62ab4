import { scrapedNamespaces } from '#lib/linkerd/charts/linkerd-control-plane/pod-monitors';

test.each(['{{ .Release.Namespace }}', '{{.Release.Namespace}}'])('fills in %s', (template) => {
  expect(scrapedNamespaces(`matchNames:\n  - ${template}\n  - viz\n`, 'mesh')).toEqual({ matchNames: ['mesh', 'viz'] });
});

test('reads what YAML of Kubernetes means', () => {
  expect(scrapedNamespaces('any: yes', 'mesh')).toEqual({ any: true });
});

test.each([
  ['matchNames: [{{ .Values.x }}]', 'templates other than'],
  ['all of them', 'no map'],
  ['', 'no map'],
  ['a: [', 'line 1'],
])('cannot read %j', (template, reason) => {
  expect(() => scrapedNamespaces(template, 'mesh')).toThrow(reason);
});
