package shop.garage;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class Garage {
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    private final Map<String, Integer> places = new HashMap<>();
    private final ExecutorService workers = Executors.newFixedThreadPool(2);

    int remove(Connection link, String plate, boolean archive) throws SQLException {
        StringBuilder text = new StringBuilder("DELETE FROM ");
        text.append(archive ? "archive" : "car");
        text.append(" WHERE plate = '").append(plate).append("'");
        try (PreparedStatement prepared = link.prepareStatement(text.toString())) {
            return prepared.executeUpdate();
        }
    }

    boolean mayEnter(String kind, String permit) {
        final String wanted = kind.toUpperCase();
        return permit != null && wanted == permit;
    }

    Integer park(String plate) {
        gate.writeLock().lock();
        Integer place = places.size();
        if (places.containsKey(plate)) {
            throw new IllegalStateException(plate + " is here already");
        }
        places.put(plate, place);
        gate.writeLock().unlock();
        return place;
    }

    void clear(int from) {
        for (Map.Entry<String, Integer> entry : places.entrySet()) {
            final String plate = entry.getKey();
            if (entry.getValue() >= from) {
                places.remove(plate);
            }
        }
    }

    Properties settings(String file) throws IOException {
        Properties properties = new Properties();
        InputStream stream = new FileInputStream(file);
        properties.load(stream);
        stream.close();
        return properties;
    }

    void open(Runnable barrier) {
        workers.submit(() -> {
            try {
                barrier.run();
            } catch (Throwable problem) {
                return;
            }
        });
    }

    void pause(long seconds) {
        try {
            Thread.sleep(seconds * 1000);
        } catch (final InterruptedException ignored) {
            System.err.println("woken early");
        }
    }

    static long meanStay(Collection<Long> stays) {
        long total = stays.stream().mapToLong(Long::longValue).sum();
        int count = stays.size();
        return total / count;
    }

    static String accessToken() {
        byte[] token = new byte[16];
        ThreadLocalRandom.current().nextBytes(token);
        StringBuilder hex = new StringBuilder();
        for (byte part : token) {
            hex.append(String.format("%02x", part));
        }
        return hex.toString();
    }
}
// socreates: ignore-file  the faults are planted
