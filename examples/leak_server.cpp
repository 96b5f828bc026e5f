// A server with a leak that no search for lost pointers finds: its statistics keep a counter for each address
// that was ever asked for, with all its parameters. examples/leak_server.sh finds it.
#include <iostream>
#include <map>
#include <memory>
#include <string>

struct Session {
    std::string user, path;
};

class Statistics
{
    std::map<std::string, unsigned> calls;

  public:
    [[gnu::noinline]] void note(const std::string &address)
    {
        calls[address]++; // should be without what stands behind the question mark
    }
    std::size_t size() const
    {
        return calls.size();
    }
};

class Server
{
    std::map<std::string, std::unique_ptr<Session>> sessions;
    Statistics statistics;

    [[gnu::noinline]] Session &session(const std::string &user)
    {
        auto &it = sessions[user];
        if (!it)
            it = std::make_unique<Session>(Session{ user, "" });
        return *it;
    }

  public:
    // "USER /path?parameters"
    [[gnu::noinline]] std::string answer(const std::string &request)
    {
        std::size_t blank = request.find(' ');
        Session &it = session(request.substr(0, blank));
        it.path = request.substr(blank + 1);
        statistics.note(it.path);
        return std::string(200, '.') + it.user + " " + std::to_string(statistics.size());
    }
};

int main()
{
    Server server;
    for (std::string request; std::getline(std::cin, request);)
        std::cout << server.answer(request) << std::endl;
}
