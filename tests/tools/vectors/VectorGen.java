/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints messages as Kafka's own serializer writes them: lines of "name version hex" in DIR/<api>.hex, compared with our codec by
 * tests/unit/test_wire_messages. The first of each version has nothing but defaults, the second
 * one element of defaults in each array, the third null in every field that may be null but arrays, the fourth in those too,
 * the others random values. To run, with JARS a directory that holds the kafka-clients jar of one release and what it needs:
 *
 *   java -cp "JARS/*" tests/tools/vectors/VectorGen.java DIR KEYS
 *
 * KEYS is a list of "key" or "key:below" (only versions lower than that). tests/unit/vectors comes from kafka-clients 4.4.0 with
 *   0,1,2,3,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,24,28,29,32,33,36,37,42,44,47,60,68,69,74,75,76,77,78,79,88,89,
 *   90,91,92
 * and, for the versions that Kafka 4 has dropped, tests/unit/vectors/old from 3.9.1 with
 *   0:3,1:4,2:1,8:2,9:1,19:2,20:1,32:1
 */
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;

public class VectorGen {
    private static final int RANDOM_MESSAGES = 4;
    private Random random;
    private boolean defaults, nullFields, nullArrays;

    public static void main(String[] args) throws Exception {
        Path dir = Paths.get(args[0]);
        Files.createDirectories(dir);
        for (String word : args[1].split(",")) {
            String[] parts = word.split(":");
            ApiMessageType api = ApiMessageType.fromApiKey(Short.parseShort(parts[0]));
            int below = parts.length > 1 ? Integer.parseInt(parts[1]) : Short.MAX_VALUE;
            try (PrintWriter out = new PrintWriter(dir.resolve(snake(api.name) + ".hex").toFile())) {
                new VectorGen().print(out, api.newRequest(), api.requestSchemas(), below);
                new VectorGen().print(out, api.newResponse(), api.responseSchemas(), below);
            }
        }
    }

    private static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase();
    }

    private static String camel(String snake) {
        StringBuilder out = new StringBuilder();
        for (String part : snake.split("_"))
            out.append(out.length() == 0 ? part : part.substring(0, 1).toUpperCase() + part.substring(1));
        return out.toString();
    }

    private void print(PrintWriter out, ApiMessage kind, Schema[] schemas, int below) throws Exception {
        String name = kind.getClass().getSimpleName().replaceAll("Data$", "");
        for (short v = kind.lowestSupportedVersion(); v <= kind.highestSupportedVersion() && v < below; v++) {
            random = new Random(kind.apiKey() * 1000L + v);
            for (int i = 0; i < 2 + RANDOM_MESSAGES; i++) {
                ApiMessage message = (ApiMessage) kind.getClass().getDeclaredConstructor().newInstance();
                defaults = i < 2;
                nullFields = i == 2 || i == 3;
                nullArrays = i == 3;
                if (i > 0)
                    fill(message, schemas[v]);
                out.println(name + " " + v + " " + hex(message, v));
            }
        }
    }

    private static String hex(ApiMessage message, short version) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
        message.write(new ByteBufferAccessor(buffer), cache, version);
        if (buffer.hasRemaining())
            throw new IllegalStateException("size and write differ");
        StringBuilder out = new StringBuilder();
        for (byte b : buffer.array())
            out.append(String.format("%02x", b));
        return out.length() == 0 ? "-" : out.toString();
    }

    private void fill(Message message, Schema schema) throws Exception {
        for (BoundField field : schema.fields()) {
            if (field.def.type instanceof TaggedFields) {
                for (org.apache.kafka.common.protocol.types.Field tagged : tagged((TaggedFields) field.def.type).values())
                    if (defaults || random.nextInt(3) > 0)
                        set(message, tagged.name, tagged.type);
            } else {
                set(message, field.def.name, field.def.type);
            }
        }
    }

    /* Private in older releases. */
    @SuppressWarnings("unchecked")
    private static Map<Integer, org.apache.kafka.common.protocol.types.Field> tagged(TaggedFields fields) throws Exception {
        Field map = TaggedFields.class.getDeclaredField("fields");
        map.setAccessible(true);
        return (Map<Integer, org.apache.kafka.common.protocol.types.Field>) map.get(fields);
    }

    /* The package differs between releases. */
    private Object records(Class<?> declared, byte[] bytes) throws Exception {
        Class<?> memory = Class.forName(declared.getPackageName() + ".MemoryRecords");
        return memory.getMethod("readableRecords", ByteBuffer.class).invoke(null, ByteBuffer.wrap(bytes));
    }

    private void set(Message message, String name, org.apache.kafka.common.protocol.types.Type type) throws Exception {
        Field field = null;
        for (Field f : message.getClass().getDeclaredFields())
            if (f.getName().equalsIgnoreCase(camel(name)))
                field = f;
        if (field == null)
            throw new IllegalStateException(message.getClass() + " has no field " + name);
        field.setAccessible(true);
        if (defaults && !Collection.class.isAssignableFrom(field.getType())) {
            if (field.get(message) instanceof Message)
                fill((Message) field.get(message), (Schema) type);
            if (field.get(message) == null && !type.isNullable())
                field.set(message, records(field.getType(), new byte[0]));
            return;
        }
        boolean array = Collection.class.isAssignableFrom(field.getType());
        if (!defaults && type.isNullable() && ((array ? nullArrays : nullFields) || (!nullFields && random.nextInt(4) == 0)))
            field.set(message, null);
        else
            field.set(message, value(field.getType(), field.getGenericType(), type));
    }

    @SuppressWarnings("unchecked")
    private Object value(Class<?> c, Type generic, org.apache.kafka.common.protocol.types.Type type) throws Exception {
        if (defaults && c == String.class)
            return "";
        if (defaults && Number.class.isAssignableFrom(c))
            return c == Byte.class ? (Object) (byte) 0 : c == Short.class ? (Object) (short) 0 : c == Long.class ? (Object) 0L : (Object) 0;
        if (c == boolean.class)
            return random.nextBoolean();
        if (c == byte.class || c == Byte.class)
            return (byte) random.nextInt();
        if (c == short.class || c == Short.class)
            return (short) random.nextInt();
        if (c == int.class || c == Integer.class)
            return random.nextInt();
        if (c == long.class || c == Long.class)
            return random.nextLong();
        if (c == String.class)
            return text();
        if (c == Uuid.class)
            return new Uuid(random.nextLong(), random.nextLong());
        if (c == byte[].class)
            return bytes();
        if (c == ByteBuffer.class)
            return ByteBuffer.wrap(bytes());
        if (c.getSimpleName().equals("BaseRecords"))
            return records(c, bytes());
        if (Collection.class.isAssignableFrom(c)) {
            Collection<Object> list = c == List.class ? new ArrayList<>() : (Collection<Object>) c.getDeclaredConstructor().newInstance();
            ParameterizedType with = (ParameterizedType) (c == List.class ? generic : c.getGenericSuperclass());
            Class<?> elem = (Class<?>) with.getActualTypeArguments()[0];
            for (int n = defaults || nullFields ? 1 : random.nextInt(4); n > 0; n--)
                list.add(value(elem, elem, type.arrayElementType().orElseThrow()));
            return list;
        }
        Message struct = (Message) c.getDeclaredConstructor().newInstance();
        fill(struct, (Schema) type);
        return struct;
    }

    private String text() {
        StringBuilder out = new StringBuilder();
        for (int n = random.nextInt(8); n > 0; n--)
            out.append(random.nextInt(8) == 0 ? 'é' : (char) ('a' + random.nextInt(26)));
        return out.toString();
    }

    private byte[] bytes() {
        byte[] out = new byte[random.nextInt(12)];
        random.nextBytes(out);
        return out;
    }
}
