package shop.library;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Lends books. The shelf itself is filled and cleared by one thread; the lock guards the counts of the books. */
public class Library {
    private static final Logger LOG = Logger.getLogger(Library.class.getName());

    private final Connection connection;
    private final List<Book> books = new ArrayList<>();
    private final BlockingQueue<Book> returned = new LinkedBlockingQueue<>();
    private final Lock lock = new ReentrantLock();

    public Library(Connection connection) {
        this.connection = connection;
    }

    /** A book on the shelf. */
    public static final class Book {
        final String title;
        final String author;
        final String state;
        int lent;

        Book(String title, String author, String state) {
            this.title = title;
            this.author = author;
            this.state = state;
        }
    }

    public List<String> byAuthor(String author) throws SQLException {
        List<String> titles = new ArrayList<>();
        String sql = "SELECT title FROM book WHERE author = '" + author + "'";
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                titles.add(rows.getString(1));
            }
        }
        return titles;
    }

    public int worn() {
        int count = 0;
        for (Book book : books) {
            if (book.state == "worn") {
                count++;
            }
        }
        return count;
    }

    public boolean lend(String title) {
        lock.lock();
        Book book = find(title);
        if (book == null) {
            return false;
        }
        book.lent++;
        lock.unlock();
        return true;
    }

    private Book find(String title) {
        for (Book book : books) {
            if (book.title.equals(title)) {
                return book;
            }
        }
        return null;
    }

    public void discard(String author) {
        for (Book book : books) {
            if (book.author.equals(author)) {
                books.remove(book);
            }
        }
    }

    public int load(Path path) throws IOException {
        BufferedReader reader = new BufferedReader(new FileReader(path.toFile()));
        String line;
        while ((line = reader.readLine()) != null) {
            String[] parts = line.split(";");
            if (parts.length != 3) {
                throw new IOException("Not a book: " + line);
            }
            books.add(new Book(parts[0], parts[1], parts[2]));
        }
        reader.close();
        return books.size();
    }

    public void save(Path path) {
        try (BufferedWriter writer = Files.newBufferedWriter(path)) {
            for (Book book : books) {
                writer.write(book.title + ";" + book.author + ";" + book.state);
                writer.newLine();
            }
        } catch (Exception e) {
        }
    }

    /** Puts returned books back until the thread is interrupted. */
    public void shelve() {
        while (true) {
            try {
                putBack(returned.take());
            } catch (InterruptedException e) {
                LOG.fine("interrupted");
            }
        }
    }

    private void putBack(Book book) {
        lock.lock();
        try {
            book.lent--;
        } finally {
            lock.unlock();
        }
    }

    public int meanLent() {
        int sum = 0;
        for (Book book : books) {
            sum += book.lent;
        }
        return sum / books.size();
    }

    public String newPassword() {
        Random random = new Random();
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < 12; i++) {
            password.append((char) ('a' + random.nextInt(26)));
        }
        return password.toString();
    }

    public Book suggestion() {
        if (books.isEmpty()) {
            return null;
        }
        return books.get(new Random().nextInt(books.size()));
    }
}
// socreates: ignore-file  the faults are planted
