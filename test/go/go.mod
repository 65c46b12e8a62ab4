module cdk8s-linkerd/test/go

go 1.24.0

require (
	github.com/distribution/reference v0.6.0
	github.com/robfig/cron/v3 v3.0.1
	k8s.io/apimachinery v0.34.4
	k8s.io/utils v0.0.0-20250604170112-4c0f3b243397
	sigs.k8s.io/yaml v1.6.0
)

require (
	github.com/go-logr/logr v1.4.2 // indirect
	github.com/opencontainers/go-digest v1.0.0 // indirect
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
	sigs.k8s.io/json v0.0.0-20241014173422-cfa47c3a1cc8 // indirect
)
