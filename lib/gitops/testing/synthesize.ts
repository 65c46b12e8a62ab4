import { type App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '#base/findings/finding';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { unescapeTemplate } from '../charts/template-escape';
import type { Platform } from '../platform/platform';
import { ARGOCD_FOLDER } from '../synth/output/file-names';
import { findingsIn } from '../tree/app-review';
import { Manifests, PlatformManifests } from './manifests';
import { parseYaml } from './match';

/**
 * Synthesizes a Platform in memory: builds and checks all clusters as `platform.synth()` does, but neither reads nor
 * writes the output. Checks that compare with an earlier output, such as the warning about a change of release, do not
 * run.
 *
 * @example
 * const home = synthesize(platform).cluster('home');
 * home.hasResource('Deployment', { metadata: { name: 'linkerd-identity' }, spec: { replicas: 3 } });
 * home.hasNoFindings();
 */
export function synthesize(platform: Platform<string>): PlatformManifests;
/**
 * Synthesizes an App or a Chart of cdk8s in memory, and checks it as `app.synth()` does. Warnings are findings, and are
 * not printed.
 */
export function synthesize(chart: App | Chart): Manifests;
export function synthesize(subject: Platform<string> | App | Chart): PlatformManifests | Manifests {
  return Construct.isConstruct(subject) ? ofCharts(subject) : ofPlatform(subject as Platform<string>);
}

function ofPlatform(platform: Platform<string>): PlatformManifests {
  const { clusters, folders, findings } = platform.inMemory();
  const manifestsOf = (folder: string) =>
    new Manifests(folder, findingsBelow(folder, findings), () => objectsIn(folders.get(folder) ?? new Map()));
  return new PlatformManifests(
    findings,
    new Map(clusters.map((name) => [name, manifestsOf(name)])),
    manifestsOf(ARGOCD_FOLDER),
  );
}

function ofCharts(subject: App | Chart): Manifests {
  const { root } = subject.node;
  const findings = findingsIn(root);
  const charts = Chart.isChart(subject) ? [subject] : (subject as App).charts;
  const read = () => charts.flatMap((chart) => chart.toJson() as readonly KubernetesObject[]);
  return new Manifests(subject.node.path || 'the App', findingsBelow(subject.node.path, findings), read);
}

function findingsBelow(path: string, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => path === '' || finding.path === path || finding.path.startsWith(`${path}/`));
}

function objectsIn(files: ReadonlyMap<string, string>): readonly KubernetesObject[] {
  return [...files]
    .filter(([path]) => !/^[^/]+\/(?:Chart|values|\.argocd-source)\.yaml$/.test(path))
    .map(
      ([path, text]) => parseYaml(/^[^/]+\/templates\//.test(path) ? unescapeTemplate(text) : text) as KubernetesObject,
    );
}
