package main

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"time"
)

// chainQuestion is a chain of PEM certificates, beginning with the one to verify, and a bundle of roots.
type chainQuestion struct {
	Chain string    `json:"chain"`
	Roots string    `json:"roots"`
	At    time.Time `json:"at"`
}

// readChain verifies a chain as Linkerd's identity controller does (linkerd2/pkg/tls/cred.go), but accepts any extended
// key usage, because the controller verifies no leaves.
func readChain(text string) (any, error) {
	var question chainQuestion
	if err := json.Unmarshal([]byte(text), &question); err != nil {
		return nil, err
	}
	chain, err := certificates(question.Chain)
	if err != nil {
		return nil, err
	}
	if len(chain) == 0 {
		return nil, errors.New("no certificates found")
	}
	roots, err := certificates(question.Roots)
	if err != nil {
		return nil, err
	}
	options := x509.VerifyOptions{
		Roots:         pool(roots),
		Intermediates: pool(chain[1:]),
		CurrentTime:   question.At,
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}
	paths, err := chain[0].Verify(options)
	return len(paths), err
}

func certificates(text string) (found []*x509.Certificate, err error) {
	rest := []byte(text)
	for {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			return found, nil
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		found = append(found, certificate)
	}
}

func pool(certificates []*x509.Certificate) *x509.CertPool {
	all := x509.NewCertPool()
	for _, certificate := range certificates {
		all.AddCert(certificate)
	}
	return all
}
