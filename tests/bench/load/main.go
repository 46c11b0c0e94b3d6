// SPDX-License-Identifier: Apache-2.0

// Load generator of the benchmark: one piece of work a run, one JSON line with its figures on standard output.
//
//	bench-load fill    --bootstrap B --topic T --partitions P --records N --size S --batch-bytes X
//	bench-load share   --bootstrap B --topic T --group G --records N --clients K [--max-records M --strict] [--flush]
//	                   [--work DURATION] [--release PERCENT] [--warm W]
//	bench-load latency --bootstrap B --topic T --group G --records N --clients K --every DURATION
//	bench-load consume --bootstrap B --topic T --records N
//	bench-load produce --bootstrap B --topic T --partitions P --records N --size S --batch-bytes X
//	bench-load ping    --bootstrap B --records N
//
// Every record carries its number in its first eight bytes and the time of its making in the next eight: whatever is
// lost or comes twice after it was confirmed is counted.
package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

type options struct {
	bootstrap, topic, group                                   string
	partitions, records, size, batchBytes, clients, maxRecord int
	release, warm                                             int
	strict, flush                                             bool
	work, every, limit                                        time.Duration
}

// A poll that brought nothing for so long: what was acknowledged is settled meanwhile.
const idlePoll = 50 * time.Millisecond

// A record that was handed out so often is not released again: it would be rejected (group.share.delivery.count.limit).
const deliveryLimit = 5

// Figures of one run.
type figures struct {
	Records  int64   `json:"records"`
	Seconds  float64 `json:"seconds"`
	Lost     int64   `json:"lost"`
	Twice    int64   `json:"twice"`
	Handed   int64   `json:"handed_out"`
	Failed   int64   `json:"failed_acks"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	FirstSec float64 `json:"first_record_seconds"`
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench-load:", err)
	os.Exit(1)
}

func quantiles(times []time.Duration) (p50, p99 float64) {
	if len(times) == 0 {
		return 0, 0
	}
	slices.Sort(times)
	ms := func(q int) float64 { return float64(times[(len(times)-1)*q/100].Microseconds()) / 1000 }
	return ms(50), ms(99)
}

func newClient(o *options, more ...kgo.Opt) *kgo.Client {
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...),
		kgo.MetadataMinAge(100 * time.Millisecond),
	}, more...)...)
	if err != nil {
		fail(err)
	}
	return client
}

func record(o *options, number int) *kgo.Record {
	value := make([]byte, max(o.size, 16))
	binary.BigEndian.PutUint64(value, uint64(number))
	binary.BigEndian.PutUint64(value[8:], uint64(time.Now().UnixNano()))
	return &kgo.Record{Topic: o.topic, Partition: int32(number % o.partitions), Value: value}
}

// fill writes the records in batches as large as asked for: a batch is sent when it is full.
func fill(ctx context.Context, o *options) figures {
	client := newClient(o,
		kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchMaxBytes(int32(o.batchBytes)),
		kgo.ProducerLinger(200*time.Millisecond),
		kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.MaxBufferedRecords(200000),
		kgo.MaxProduceRequestsInflightPerBroker(1),
	)
	defer client.Close()
	var failed atomic.Int64
	start := time.Now()
	for i := range o.records {
		client.Produce(ctx, record(o, i), func(_ *kgo.Record, err error) {
			if err != nil {
				failed.Add(1)
			}
		})
	}
	if err := client.Flush(ctx); err != nil {
		fail(err)
	}
	return figures{Records: int64(o.records), Seconds: time.Since(start).Seconds(), Lost: failed.Load()}
}

// What all clients of a run share: which records were confirmed, and what took how long.
type tally struct {
	mu        sync.Mutex
	confirmed []bool
	done      atomic.Int64
	handed    atomic.Int64
	failed    atomic.Int64
	twice     int64
	times     []time.Duration
	first     time.Time
	cancel    context.CancelFunc
	want      int64
}

// take notes records as handed out; one that was confirmed before must not come again.
func (t *tally) take(records []*kgo.Record) {
	t.handed.Add(int64(len(records)))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first.IsZero() && len(records) > 0 {
		t.first = time.Now()
	}
	for _, r := range records {
		if n := binary.BigEndian.Uint64(r.Value); n >= uint64(len(t.confirmed)) {
			fail(fmt.Errorf("record %d of %d, of another run?", n, len(t.confirmed)))
		} else if t.confirmed[n] {
			t.twice++
		}
	}
}

func (t *tally) confirm(numbers []uint64, times []time.Duration) {
	t.mu.Lock()
	for _, n := range numbers {
		if !t.confirmed[n] {
			t.confirmed[n] = true
			t.done.Add(1)
		}
	}
	t.times = append(t.times, times...)
	t.mu.Unlock()
	if t.done.Load() >= t.want {
		t.cancel()
	}
}

func shareOptions(o *options) []kgo.Opt {
	opts := []kgo.Opt{kgo.ShareGroup(o.group), kgo.ConsumeTopics(o.topic)}
	if o.maxRecord > 0 {
		opts = append(opts, kgo.ShareMaxRecords(int32(o.maxRecord)))
	}
	if o.strict {
		opts = append(opts, kgo.ShareMaxRecordsStrict())
	}
	return opts
}

// A share consumer at work. Acknowledgements are known by partition: numbers[p] were acknowledged since the last result.
type worker struct {
	o       *options
	t       *tally
	client  *kgo.Client
	mu      sync.Mutex
	pending map[int32][]uint64
	bad     map[int32]bool
}

func (w *worker) onResults(_ *kgo.Client, results kgo.ShareAckResults) {
	w.mu.Lock()
	for _, result := range results {
		if result.Err != nil {
			w.bad[result.Partition] = true
		}
	}
	w.mu.Unlock()
}

// settle waits for the results of all that was acknowledged.
func (w *worker) settle() time.Duration {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	start := time.Now()
	err := w.client.FlushAcks(ctx)
	took := time.Since(start)
	w.mu.Lock()
	pending, bad := w.pending, w.bad
	w.pending, w.bad = map[int32][]uint64{}, map[int32]bool{}
	w.mu.Unlock()
	for partition, numbers := range pending {
		if err != nil || bad[partition] {
			w.t.failed.Add(int64(len(numbers)))
			continue
		}
		w.t.confirm(numbers, nil)
	}
	return took
}

func (w *worker) run(ctx context.Context) {
	random := rand.New(rand.NewSource(time.Now().UnixNano()))
	for ctx.Err() == nil {
		idle, cancel := context.WithTimeout(ctx, idlePoll)
		records := w.client.PollRecords(idle, w.o.maxRecord).Records()
		cancel()
		w.t.take(records)
		if w.o.work > 0 && len(records) > 0 {
			time.Sleep(w.o.work * time.Duration(len(records)))
		}
		w.mu.Lock()
		for _, r := range records {
			if w.o.release > 0 && r.DeliveryCount() < deliveryLimit && random.Intn(100) < w.o.release {
				r.Ack(kgo.AckRelease)
				continue
			}
			r.Ack(kgo.AckAccept)
			w.pending[r.Partition] = append(w.pending[r.Partition], binary.BigEndian.Uint64(r.Value))
		}
		open := 0
		for _, numbers := range w.pending {
			open += len(numbers)
		}
		w.mu.Unlock()
		if len(records) > 0 && w.o.flush {
			took := w.settle()
			w.t.mu.Lock()
			w.t.times = append(w.t.times, took)
			w.t.mu.Unlock()
		} else if open >= 20000 || (open > 0 && len(records) == 0) {
			w.settle()
		}
	}
	w.settle()
}

// share reads all records with K clients; what was left when the time was up is lost.
func share(parent context.Context, o *options) figures {
	ctx, cancel := context.WithTimeout(parent, o.limit)
	defer cancel()
	t := &tally{confirmed: make([]bool, o.records), want: int64(o.records), cancel: cancel}
	var all sync.WaitGroup
	begin := time.Now()
	for range o.clients {
		w := &worker{o: o, t: t, pending: map[int32][]uint64{}, bad: map[int32]bool{}}
		w.client = newClient(o, append(shareOptions(o), kgo.ShareAckCallback(w.onResults))...)
		all.Add(1)
		go func() {
			defer all.Done()
			w.run(ctx)
		}()
		defer w.client.Close()
	}
	<-ctx.Done()
	end := time.Now()
	all.Wait()
	f := figures{Records: t.done.Load(), Lost: int64(o.records) - t.done.Load(), Twice: t.twice,
		Handed: t.handed.Load(), Failed: t.failed.Load()}
	if !t.first.IsZero() {
		f.Seconds = end.Sub(t.first).Seconds()
		f.FirstSec = t.first.Sub(begin).Seconds()
	}
	f.P50, f.P99 = quantiles(t.times)
	return f
}

// latency writes one record at a time and measures until an idle share consumer has it.
func latency(parent context.Context, o *options) figures {
	ctx, cancel := context.WithTimeout(parent, o.limit)
	defer cancel()
	arrived := make(chan time.Duration, 1024)
	for range o.clients {
		client := newClient(o, shareOptions(o)...)
		defer client.Close()
		go func() {
			for ctx.Err() == nil {
				for _, r := range client.PollRecords(ctx, 0).Records() {
					arrived <- time.Since(time.Unix(0, int64(binary.BigEndian.Uint64(r.Value[8:]))))
				}
			}
		}()
	}
	producer := newClient(o, kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(0))
	defer producer.Close()
	var times []time.Duration
	var lost int64
	for i := range o.records + o.warm {
		if err := producer.ProduceSync(ctx, record(o, i)).FirstErr(); err != nil {
			fail(err)
		}
		select {
		case took := <-arrived:
			if i >= o.warm {
				times = append(times, took)
			}
		case <-time.After(20 * time.Second):
			lost++
		}
		time.Sleep(o.every)
	}
	f := figures{Records: int64(len(times)), Lost: lost}
	f.P50, f.P99 = quantiles(times)
	return f
}

// consume reads the topic from its start without a group.
func consume(parent context.Context, o *options) figures {
	ctx, cancel := context.WithTimeout(parent, o.limit)
	defer cancel()
	client := newClient(o, kgo.ConsumeTopics(o.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchMaxPartitionBytes(8<<20), kgo.DisableFetchCRCValidation())
	defer client.Close()
	var got int64
	var start time.Time
	for got < int64(o.records) && ctx.Err() == nil {
		n := client.PollFetches(ctx).NumRecords()
		if start.IsZero() && n > 0 {
			start = time.Now()
		}
		got += int64(n)
	}
	return figures{Records: got, Seconds: time.Since(start).Seconds(), Lost: int64(o.records) - got}
}

// ping measures small requests that a broker answers at once.
func ping(parent context.Context, o *options) figures {
	ctx, cancel := context.WithTimeout(parent, o.limit)
	defer cancel()
	client := newClient(o)
	defer client.Close()
	var times []time.Duration
	begin := time.Now()
	if err := client.Ping(ctx); err != nil {
		fail(err)
	}
	brokers := client.DiscoveredBrokers()
	if len(brokers) == 0 {
		fail(errors.New("the cluster has no brokers"))
	}
	broker := brokers[0]
	for i := range o.records + o.warm {
		start := time.Now()
		request := kmsg.NewPtrMetadataRequest()
		request.Topics = []kmsg.MetadataRequestTopic{}
		if _, err := broker.RetriableRequest(ctx, request); err != nil {
			fail(err)
		}
		if i >= o.warm {
			times = append(times, time.Since(start))
		}
	}
	f := figures{Records: int64(len(times)), Seconds: time.Since(begin).Seconds()}
	f.P50, f.P99 = quantiles(times)
	return f
}

func main() {
	works := map[string]func(context.Context, *options) figures{
		"fill": fill, "produce": fill, "share": share, "latency": latency, "consume": consume, "ping": ping,
	}
	if len(os.Args) < 2 || works[os.Args[1]] == nil {
		fail(fmt.Errorf("%q, expected fill, produce, share, latency, consume or ping", strings.Join(os.Args[1:], " ")))
	}
	o := &options{}
	set := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	set.StringVar(&o.bootstrap, "bootstrap", "", "where to connect first")
	set.StringVar(&o.topic, "topic", "", "topic")
	set.StringVar(&o.group, "group", "", "share group")
	set.IntVar(&o.partitions, "partitions", 1, "partitions of the topic")
	set.IntVar(&o.records, "records", 1, "records")
	set.IntVar(&o.size, "size", 100, "bytes of a record's value, 16 at least")
	set.IntVar(&o.batchBytes, "batch-bytes", 16384, "bytes of a producer's batch")
	set.IntVar(&o.clients, "clients", 1, "share consumers")
	set.IntVar(&o.maxRecord, "max-records", 0, "records of a poll; 0: as the library has it")
	set.BoolVar(&o.strict, "strict", false, "never more than max-records")
	set.BoolVar(&o.flush, "flush", false, "wait for the acknowledgements of each poll")
	set.DurationVar(&o.work, "work", 0, "time that a record takes to work on")
	set.DurationVar(&o.every, "every", 0, "pause between two records")
	set.DurationVar(&o.limit, "limit", 2*time.Minute, "when to give up")
	set.IntVar(&o.release, "release", 0, "percent of the records that are released")
	set.IntVar(&o.warm, "warm", 0, "first records that are not measured")
	_ = set.Parse(os.Args[2:])
	_ = json.NewEncoder(os.Stdout).Encode(works[os.Args[1]](context.Background(), o))
}
