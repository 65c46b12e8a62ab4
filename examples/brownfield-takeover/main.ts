import { Platform, Warnings } from 'cdk8s-linkerd';
import { linkerd } from './control-plane.js';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

platform.addCluster('home', {}, (home) => {
  // Made by `cdk8s-linkerd migrate`, and ours to change from now on.
  linkerd(home);
  Warnings.of(home).acknowledge('anchor-label-needed', 'the Secret that is there was labelled, as README.md says');
});

platform.run();
