// SPDX-License-Identifier: Apache-2.0

// Share consumer program on franz-go; options and output are described in ../README.md.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const maxFailuresInARow = 50

var modes = []string{"implicit", "accept", "release", "reject", "release-first", "hold"}

type options struct {
	bootstrap, group, topic, mode, ca               string
	consumers, maxRecords, idleMs, maxPoll, delayMs int
}

type recordEvent struct {
	Event         string  `json:"event"`
	Consumer      int     `json:"consumer"`
	Partition     int32   `json:"partition"`
	Offset        int64   `json:"offset"`
	DeliveryCount int32   `json:"delivery_count"`
	Key           *string `json:"key"`
	Value         *string `json:"value"`
}

type ackedEvent struct {
	Event         string  `json:"event"`
	Consumer      int     `json:"consumer"`
	Partition     int32   `json:"partition"`
	Offset        int64   `json:"offset"`
	DeliveryCount int32   `json:"delivery_count"`
	Type          string  `json:"type"`
	Error         *string `json:"error"`
}

// What all consumers of the process share: counts, the stop flag and the output.
type run struct {
	options
	mu         sync.Mutex
	out        *bufio.Writer
	delivered  atomic.Int64
	confirmed  atomic.Int64
	lastRecord atomic.Int64
	stop       atomic.Bool
	failed     atomic.Bool
}

func (r *run) print(events ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	encoder := json.NewEncoder(r.out)
	encoder.SetEscapeHTML(false)
	for _, event := range events {
		if err := encoder.Encode(event); err != nil {
			fmt.Fprintln(os.Stderr, "share-client:", err)
			os.Exit(1)
		}
	}
	r.out.Flush()
}

func (r *run) printError(consumer int, err error) {
	r.print(map[string]any{"event": "error", "consumer": consumer, "error": err.Error()})
}

func (r *run) finished() bool {
	if r.maxRecords > 0 && r.delivered.Load() >= int64(r.maxRecords) {
		r.stop.Store(true)
	}
	if time.Since(time.Unix(0, r.lastRecord.Load())) > time.Duration(r.idleMs)*time.Millisecond {
		r.stop.Store(true)
	}
	return r.stop.Load()
}

// The results of one partition since the last settling.
type outcome struct {
	results int
	err     error
}

type member struct {
	*run
	number   int
	client   *kgo.Client
	mu       sync.Mutex
	outcomes map[int32]*outcome
	open     []ackedEvent // acknowledged, outcome not known yet
}

func newMember(r *run, number int) (*member, error) {
	m := &member{run: r, number: number, outcomes: map[int32]*outcome{}}
	opts := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(r.bootstrap, ",")...),
		kgo.ClientID("go-" + strconv.Itoa(number)),
		kgo.ShareGroup(r.group),
		kgo.ConsumeTopics(r.topic),
		kgo.ShareMaxRecords(int32(r.maxPoll)),
		kgo.ShareAckCallback(m.onResults),
	}
	if r.ca != "" {
		pem, err := os.ReadFile(r.ca)
		if err != nil {
			return m, err
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		opts = append(opts, kgo.DialTLSConfig(&tls.Config{RootCAs: roots}))
	}
	client, err := kgo.NewClient(opts...)
	m.client = client
	return m, err
}

func (m *member) onResults(_ *kgo.Client, results kgo.ShareAckResults) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, result := range results {
		o := m.outcomes[result.Partition]
		if o == nil {
			o = &outcome{}
			m.outcomes[result.Partition] = o
		}
		o.results++
		if result.Err != nil {
			o.err = result.Err
		}
	}
}

// settle waits for the outcome of everything acknowledged so far and prints it. The library reports by partition, so
// one bad result makes all of that partition's records unconfirmed.
func (m *member) settle() {
	if len(m.open) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	flushErr := m.client.FlushAcks(ctx)
	m.mu.Lock()
	outcomes := m.outcomes
	m.outcomes = map[int32]*outcome{}
	m.mu.Unlock()
	events := make([]any, 0, len(m.open))
	for _, event := range m.open {
		err := flushErr
		if o := outcomes[event.Partition]; o == nil && err == nil {
			err = errors.New("no result for this partition")
		} else if o != nil && o.err != nil {
			err = o.err
		}
		if err != nil {
			text := err.Error()
			event.Error = &text
		} else {
			m.confirmed.Add(1)
		}
		events = append(events, event)
	}
	m.open = nil
	m.print(events...)
}

func (m *member) typeFor(deliveryCount int32) (string, kgo.AckStatus) {
	switch {
	case m.mode == "release", m.mode == "release-first" && deliveryCount <= 1:
		return "release", kgo.AckRelease
	case m.mode == "reject":
		return "reject", kgo.AckReject
	default:
		return "accept", kgo.AckAccept
	}
}

func text(bytes []byte) *string {
	if bytes == nil {
		return nil
	}
	s := string(bytes)
	return &s
}

func (m *member) take(records []*kgo.Record) {
	events := make([]any, 0, len(records))
	acks := make([]ackedEvent, 0, len(records))
	for _, record := range records {
		count := record.DeliveryCount()
		kind, _ := m.typeFor(count)
		events = append(events, recordEvent{"record", m.number, record.Partition, record.Offset, count,
			text(record.Key), text(record.Value)})
		acks = append(acks, ackedEvent{"acked", m.number, record.Partition, record.Offset, count, kind, nil})
	}
	m.print(events...)
	m.delivered.Add(int64(len(records)))
	m.lastRecord.Store(time.Now().UnixNano())
	if m.mode == "hold" {
		for !m.finished() {
			time.Sleep(50 * time.Millisecond)
		}
		return
	}
	time.Sleep(time.Duration(m.delayMs) * time.Millisecond)
	m.open = append(m.open, acks...)
	if m.mode == "implicit" {
		return // the next poll accepts these
	}
	for _, record := range records {
		_, status := m.typeFor(record.DeliveryCount())
		record.Ack(status)
	}
	m.settle()
}

func (m *member) loop() {
	failuresInARow := 0
	for !m.finished() {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		fetches := m.client.PollRecords(ctx, m.maxPoll)
		cancel()
		if m.mode == "implicit" {
			m.settle() // of the poll before: this poll has accepted its records
		}
		failed := false
		fetches.EachError(func(_ string, _ int32, err error) {
			if !errors.Is(err, context.DeadlineExceeded) {
				failed = true
				m.printError(m.number, err)
			}
		})
		if failed {
			failuresInARow++
			time.Sleep(100 * time.Millisecond)
		} else {
			failuresInARow = 0
		}
		if failuresInARow >= maxFailuresInARow {
			m.failed.Store(true)
			return
		}
		if records := fetches.Records(); len(records) > 0 {
			m.take(records)
		}
	}
}

func (m *member) close() {
	if m.mode == "implicit" {
		m.client.MarkAcks(kgo.AckAccept)
		m.settle()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := m.client.LeaveGroupContext(ctx); err != nil {
		m.printError(m.number, err)
	}
	m.client.Close()
	m.print(map[string]any{"event": "closed", "consumer": m.number})
}

func parseOptions() options {
	var o options
	flag.StringVar(&o.bootstrap, "bootstrap", "", "host:port")
	flag.StringVar(&o.group, "group", "", "share group")
	flag.StringVar(&o.topic, "topic", "", "topic")
	flag.StringVar(&o.ca, "ca", "", "PEM file with authorities: speak TLS")
	flag.StringVar(&o.mode, "mode", "accept", "how records are acknowledged")
	flag.IntVar(&o.consumers, "consumers", 1, "consumers in this process")
	flag.IntVar(&o.maxRecords, "max-records", 0, "stop after that many deliveries")
	flag.IntVar(&o.idleMs, "idle-ms", 10000, "stop after that long without records")
	flag.IntVar(&o.maxPoll, "max-poll", 500, "records in a poll")
	flag.IntVar(&o.delayMs, "delay-ms", 0, "pause before acknowledging")
	flag.Parse()
	if o.bootstrap == "" || o.group == "" || o.topic == "" || flag.NArg() > 0 || !slices.Contains(modes, o.mode) {
		fmt.Fprintln(os.Stderr, "share-client: --bootstrap, --group, --topic and a known --mode are needed, got", os.Args[1:])
		os.Exit(2)
	}
	return o
}

func main() {
	r := &run{options: parseOptions(), out: bufio.NewWriter(os.Stdout)}
	r.lastRecord.Store(time.Now().UnixNano())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-signals
		r.stop.Store(true)
	}()
	var wait sync.WaitGroup
	for number := range r.consumers {
		m, err := newMember(r, number)
		if err != nil {
			fmt.Fprintln(os.Stderr, "share-client:", err)
			os.Exit(2)
		}
		wait.Go(func() {
			m.loop()
			m.close()
		})
	}
	wait.Wait()
	r.print(map[string]any{"event": "done", "records": r.delivered.Load(), "confirmed": r.confirmed.Load()})
	if r.failed.Load() {
		os.Exit(1)
	}
}
