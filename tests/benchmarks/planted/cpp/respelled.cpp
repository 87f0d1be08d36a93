#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace fleet {

using Names = std::vector<std::string>;

class Garage {
public:
    int take(const std::string &plate)
    {
        guard_.lock();
        const auto found = cars_.find(plate);
        if (found == cars_.end())
            throw std::out_of_range(plate);
        const int place = found->second;
        cars_.erase(found);
        guard_.unlock();
        return place;
    }

    void forget(int limit)
    {
        for (auto &[plate, place] : cars_) {
            if (place > limit)
                cars_.erase(plate);
        }
    }

    void rename(std::unique_ptr<std::string> name)
    {
        name_ = std::move(name);
        std::cout << "now " << *name << '\n';
    }

    long mean() const
    {
        long sum = 0;
        for (const auto &car : cars_)
            sum += car.second;
        const auto count = static_cast<long>(cars_.size());
        return sum / count;
    }

    void later(std::function<void()> task)
    {
        workers_.emplace_back([task] {
            try {
                task();
            } catch (const std::exception &) {
            }
        });
    }

private:
    std::unordered_map<std::string, int> cars_;
    std::vector<std::thread> workers_;
    std::unique_ptr<std::string> name_;
    std::mutex guard_;
};

class Picture {
public:
    Picture(int width, int height) : pixels_(nullptr) { pixels_ = new int[width * height]; }
    Picture(const Picture &) = delete;
    Picture &operator=(const Picture &) = delete;
    ~Picture()
    {
        delete pixels_;
    }

private:
    int *pixels_;
};

bool decode(const std::string &text, std::string &result)
{
    auto *scratch = new char[2 * text.size()];
    std::size_t used = 0;
    for (const char letter : text) {
        if (letter == '\0') {
            return false;
        }
        scratch[used++] = letter;
    }
    result.assign(scratch, used);
    delete[] scratch;
    return true;
}

std::string last_first(const Names &names)
{
    std::string result;
    for (int i = static_cast<int>(names.size()); i >= 0; i--) {
        result += names[i];
    }
    return result;
}

}  // namespace fleet
// socreates: ignore-file  the faults are planted
