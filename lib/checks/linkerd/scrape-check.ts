import type { Values } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

const SCRAPE_KINDS: ReadonlySet<string> = new Set([
  'ConfigMap',
  'PodMonitor',
  'PodMonitoring',
  'Prometheus',
  'PrometheusAgent',
  'ScrapeConfig',
  'Secret',
  'VMPodScrape',
  'VMScrapeConfig',
]);

/** The name of the container of proxies, and of their port. */
const SCRAPED = /linkerd-(?:proxy|admin)/;

/** Whether an object configures scraping of a mesh's proxies: by the name of their container or of its port. */
export function scrapesProxies(object: KubernetesObject): boolean {
  if (!SCRAPE_KINDS.has(object.kind)) return false;
  const texts = textsIn(object);
  const isConfig = object.kind !== 'ConfigMap' && object.kind !== 'Secret';
  return texts.some((text) => SCRAPED.test(text) && (isConfig || text.includes('job_name')));
}

/** Whether the values of a chart, such as kube-prometheus-stack, configure scraping of a mesh's proxies. */
export function valuesScrapeProxies(values: Values): boolean {
  return textsIn(values).some((text) => SCRAPED.test(text));
}

function textsIn(data: unknown): readonly string[] {
  if (typeof data === 'string') return [data];
  return typeof data === 'object' && data !== null ? Object.values(data).flatMap(textsIn) : [];
}
