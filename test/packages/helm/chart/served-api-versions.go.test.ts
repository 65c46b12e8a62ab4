import { renderChart } from '#helm/render';
import { chartFiles, chartOf, expectHelmsOutput, optionsOf } from './compare-with-helm';

const FILES = chartFiles({
  'templates/a.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
{{- range list "apiregistration.k8s.io/v1" "policy/v1/PodDisruptionBudget" "networking.k8s.io/v1/Ingress" "a.io/v1" }}
  {{ . | replace "/" "." }}: {{ $.Capabilities.APIVersions.Has . | quote }}
{{- end }}
`,
});

test('the renderer has the API versions of helm template', () => {
  const { objects } = renderChart(chartOf(FILES), optionsOf({ files: FILES }));
  expect(objects[0]?.object.data).toEqual({
    'apiregistration.k8s.io.v1': 'true',
    'policy.v1.PodDisruptionBudget': 'true',
    'networking.k8s.io.v1.Ingress': 'true',
    'a.io.v1': 'false',
  });
  expectHelmsOutput([{ files: FILES }]);
});
