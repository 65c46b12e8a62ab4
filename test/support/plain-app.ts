import { type Chart, Testing } from 'cdk8s';
import { findingsIn } from '../../lib/gitops/tree/app-review';

/** Returns the objects of a chart in a plain App, without printing its warnings. */
export function plainObjects(chart: Chart): ReturnType<typeof Testing.synth> {
  findingsIn(chart.node.root);
  return Testing.synth(chart);
}
