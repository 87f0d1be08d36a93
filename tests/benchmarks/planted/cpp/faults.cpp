#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Message {
    std::string sender;
    std::string text;
    bool read = false;
};

class Archive {
public:
    void keep(Message message) { messages_.push_back(std::move(message)); }
    std::size_t size() const { return messages_.size(); }

private:
    std::vector<Message> messages_;
};

class Mailbox {
public:
    explicit Mailbox(Archive &archive) : archive_(archive) {}

    bool post(const std::string &sender, const std::string &text)
    {
        mutex_.lock();
        if (messages_.size() >= limit_) {
            return false;
        }
        messages_.push_back({sender, text});
        mutex_.unlock();
        return true;
    }

    void drop_read()
    {
        std::lock_guard<std::mutex> guard(mutex_);
        std::size_t index = 0;
        for (const Message &message : messages_) {
            if (message.read) {
                messages_.erase(messages_.begin() + index);
            }
            ++index;
        }
    }

    std::size_t archive(Message message)
    {
        std::lock_guard<std::mutex> guard(mutex_);
        archive_.keep(std::move(message));
        total_ += message.text.size();
        return total_;
    }

    std::size_t mean_length() const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        std::size_t sum = 0;
        for (const Message &message : messages_) {
            sum += message.text.size();
        }
        return sum / messages_.size();
    }

    void read_from(const std::string &path)
    {
        try {
            read_file(path);
        } catch (...) {
        }
    }

private:
    std::vector<Message> copy() const
    {
        std::lock_guard<std::mutex> guard(mutex_);
        return messages_;
    }

    void read_file(const std::string &path)
    {
        std::ifstream input(path);
        if (!input) {
            throw std::runtime_error("cannot be opened");
        }
        std::vector<Message> messages;
        std::string line;
        while (std::getline(input, line)) {
            const auto colon = line.find(':');
            if (colon == std::string::npos) {
                throw std::runtime_error("no sender in: " + line);
            }
            messages.push_back({line.substr(0, colon), line.substr(colon + 1)});
        }
        std::lock_guard<std::mutex> guard(mutex_);
        messages_.insert(messages_.end(), messages.begin(), messages.end());
    }

    Archive &archive_;
    std::vector<Message> messages_;
    mutable std::mutex mutex_;
    std::size_t limit_ = 100;
    std::size_t total_ = 0;
};

std::string checksum(const std::string &text)
{
    unsigned char *block = new unsigned char[text.size() + 1];
    std::memcpy(block, text.c_str(), text.size() + 1);
    const unsigned sum = std::accumulate(block, block + text.size(), 0u);
    delete block;
    return std::to_string(sum);
}

int copy_header(const char *path, char *target, std::size_t size)
{
    FILE *file = std::fopen(path, "rb");
    if (file == nullptr) {
        return -1;
    }
    if (std::fread(target, 1, size, file) != size) {
        return -2;
    }
    std::fclose(file);
    return 0;
}

std::vector<std::string> senders(const std::vector<Message> &messages)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i <= messages.size(); ++i) {
        names.push_back(messages[i].sender);
    }
    std::sort(names.begin(), names.end());
    return names;
}

int main(int argc, char **argv)
{
    Archive archive;
    Mailbox box(archive);
    for (int i = 1; i < argc; ++i) {
        box.read_from(argv[i]);
    }
    box.drop_read();
    std::cout << box.mean_length() << ' ' << archive.size() << '\n';
    return 0;
}
// socreates: ignore-file  the faults are planted
