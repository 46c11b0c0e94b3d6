// SPDX-License-Identifier: Apache-2.0
// Share consumer program on Kafka's own Java library; options and output are described in ../README.md.

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

public final class ShareClient {
	private static final int MAX_FAILURES_IN_A_ROW = 50;

	private final Map<String, String> options;
	private final String mode;
	private final long maxRecords;
	private final long idleNanos;
	private final long delayMillis;
	private final PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false,
			StandardCharsets.UTF_8);
	private final AtomicLong delivered = new AtomicLong();
	private final AtomicLong confirmed = new AtomicLong();
	private final AtomicLong lastRecord = new AtomicLong(System.nanoTime());
	private final AtomicBoolean stop = new AtomicBoolean();
	private final AtomicBoolean failed = new AtomicBoolean();

	private ShareClient(Map<String, String> options) {
		this.options = options;
		this.mode = options.get("mode");
		this.maxRecords = Long.parseLong(options.get("max-records"));
		this.idleNanos = Long.parseLong(options.get("idle-ms")) * 1_000_000L;
		this.delayMillis = Long.parseLong(options.get("delay-ms"));
	}

	public static void main(String[] args) throws InterruptedException {
		System.exit(new ShareClient(parse(args)).run());
	}

	private static Map<String, String> parse(String[] args) {
		Map<String, String> options = new HashMap<>(Map.of("mode", "accept", "consumers", "1", "max-records", "0",
				"idle-ms", "10000", "max-poll", "500", "delay-ms", "0"));
		List<String> known = new ArrayList<>(options.keySet());
		known.addAll(List.of("bootstrap", "group", "topic", "ca"));
		for (int i = 0; i + 1 < args.length; i += 2) {
			if (!args[i].startsWith("--") || !known.contains(args[i].substring(2)))
				usage("unknown option " + args[i]);
			options.put(args[i].substring(2), args[i + 1]);
		}
		if (args.length % 2 != 0)
			usage("option " + args[args.length - 1] + " has no value");
		for (String need : List.of("bootstrap", "group", "topic"))
			if (!options.containsKey(need))
				usage("--" + need + " is missing");
		if (!List.of("implicit", "accept", "release", "reject", "release-first", "hold").contains(options.get("mode")))
			usage("mode " + options.get("mode") + " is not known");
		return options;
	}

	private static void usage(String what) {
		System.err.println("share-client: " + what);
		System.exit(2);
	}

	private int run() throws InterruptedException {
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < Integer.parseInt(options.get("consumers")); i++) {
			int number = i;
			Thread thread = new Thread(() -> new Member(number).run(), "consumer-" + i);
			threads.add(thread);
			thread.start();
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> onSignal(threads)));
		for (Thread thread : threads)
			thread.join();
		print(List.of("{\"event\":\"done\",\"records\":" + delivered.get() + ",\"confirmed\":" + confirmed.get() + "}"));
		return failed.get() ? 1 : 0;
	}

	// The runtime ends with the signal's own code unless halted from here, once all is closed in good order.
	private void onSignal(List<Thread> threads) {
		stop.set(true);
		try {
			for (Thread thread : threads)
				thread.join();
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
		out.flush();
		Runtime.getRuntime().halt(failed.get() ? 1 : 0);
	}

	private void print(List<String> lines) {
		if (lines.isEmpty())
			return;
		synchronized (out) {
			for (String line : lines)
				out.println(line);
			out.flush();
		}
	}

	private static String quote(String text) {
		if (text == null)
			return "null";
		StringBuilder quoted = new StringBuilder("\"");
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == '"' || c == '\\')
				quoted.append('\\').append(c);
			else if (c < 0x20)
				quoted.append(String.format("\\u%04x", (int) c));
			else
				quoted.append(c);
		}
		return quoted.append('"').toString();
	}

	private record Place(int partition, long offset) {
	}

	private record Sent(String type, int deliveryCount) {
	}

	private final class Member {
		private final int number;
		private final Map<Place, Sent> sent = new HashMap<>();
		private final List<String> lines = new ArrayList<>();
		private int failuresInARow;

		Member(int number) {
			this.number = number;
		}

		void run() {
			try (KafkaShareConsumer<String, String> consumer = open()) {
				consumer.setAcknowledgementCommitCallback(this::onCommit);
				consumer.subscribe(List.of(options.get("topic")));
				while (!finished() && failuresInARow < MAX_FAILURES_IN_A_ROW)
					step(consumer);
				if (failuresInARow >= MAX_FAILURES_IN_A_ROW)
					failed.set(true);
				if (!mode.equals("hold"))
					commit(consumer);
			} catch (RuntimeException e) {
				report(e);
				failed.set(true);
			}
			lines.add("{\"event\":\"closed\",\"consumer\":" + number + "}");
			flush();
		}

		private KafkaShareConsumer<String, String> open() {
			Properties properties = new Properties();
			properties.put("bootstrap.servers", options.get("bootstrap"));
			properties.put("group.id", options.get("group"));
			properties.put("client.id", "java-" + number);
			properties.put("max.poll.records", options.get("max-poll"));
			properties.put("share.acknowledgement.mode", mode.equals("implicit") ? "implicit" : "explicit");
			if (options.containsKey("ca")) {
				properties.put("security.protocol", "SSL");
				properties.put("ssl.truststore.type", "PEM");
				properties.put("ssl.truststore.location", options.get("ca"));
			}
			return new KafkaShareConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
		}

		private boolean finished() {
			if (maxRecords > 0 && delivered.get() >= maxRecords)
				stop.set(true);
			if (System.nanoTime() - lastRecord.get() > idleNanos)
				stop.set(true);
			return stop.get();
		}

		private void step(KafkaShareConsumer<String, String> consumer) {
			try {
				ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(200));
				failuresInARow = 0;
				if (!records.isEmpty())
					take(consumer, records);
				flush();
			} catch (WakeupException e) {
				return;
			} catch (RuntimeException e) {
				failuresInARow++;
				report(e);
				pause(100);
			}
		}

		private void take(KafkaShareConsumer<String, String> consumer, ConsumerRecords<String, String> records) {
			for (ConsumerRecord<String, String> record : records) {
				int count = record.deliveryCount().map(Short::intValue).orElse(0);
				lines.add("{\"event\":\"record\",\"consumer\":" + number + ",\"partition\":" + record.partition() + ",\"offset\":"
						+ record.offset() + ",\"delivery_count\":" + count + ",\"key\":" + quote(record.key()) + ",\"value\":"
						+ quote(record.value()) + "}");
				sent.put(new Place(record.partition(), record.offset()), new Sent(typeFor(count), count));
			}
			delivered.addAndGet(records.count());
			lastRecord.set(System.nanoTime());
			flush();
			if (mode.equals("hold")) {
				while (!finished())
					pause(50);
				return;
			}
			pause(delayMillis);
			if (mode.equals("implicit"))
				return;
			for (ConsumerRecord<String, String> record : records)
				consumer.acknowledge(record, AcknowledgeType.valueOf(
						sent.get(new Place(record.partition(), record.offset())).type().toUpperCase(java.util.Locale.ROOT)));
			commit(consumer);
		}

		private String typeFor(int deliveryCount) {
			return switch (mode) {
				case "release" -> "release";
				case "reject" -> "reject";
				case "release-first" -> deliveryCount <= 1 ? "release" : "accept";
				default -> "accept";
			};
		}

		private void commit(KafkaShareConsumer<String, String> consumer) {
			try {
				consumer.commitSync(Duration.ofSeconds(30));
			} catch (WakeupException e) {
				return;
			} catch (RuntimeException e) {
				report(e);
			}
		}

		private void onCommit(Map<TopicIdPartition, Set<Long>> offsets, Exception error) {
			offsets.forEach((partition, set) -> set.stream().sorted().forEach(offset -> {
				Sent what = sent.getOrDefault(new Place(partition.partition(), offset), new Sent("gap", 0));
				lines.add("{\"event\":\"acked\",\"consumer\":" + number + ",\"partition\":" + partition.partition() + ",\"offset\":"
						+ offset + ",\"delivery_count\":" + what.deliveryCount() + ",\"type\":\"" + what.type() + "\",\"error\":"
						+ quote(error == null ? null : error.getClass().getSimpleName() + ": " + error.getMessage()) + "}");
				if (error == null && !what.type().equals("gap"))
					confirmed.incrementAndGet();
			}));
			flush();
		}

		private void report(Exception e) {
			lines.add("{\"event\":\"error\",\"consumer\":" + number + ",\"error\":" + quote(e.toString()) + "}");
			flush();
		}

		private void flush() {
			print(lines);
			lines.clear();
		}

		private void pause(long millis) {
			try {
				Thread.sleep(millis);
			} catch (InterruptedException e) {
				Thread.currentThread().interrupt();
			}
		}
	}
}
